using System.Globalization;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>Makes a TLS connection and describes the certificate, or why this machine does not trust it.</summary>
internal static class CertificateCheck
{
    /// <param name="subject">The subject of the result.</param>
    /// <param name="endpoint">The endpoint.</param>
    /// <param name="stream">The connection.</param>
    /// <param name="limit">The time of the wait.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<CheckResult> RunAsync(
        string subject,
        ServiceEndpoint endpoint,
        Stream stream,
        CheckLimit limit,
        CancellationToken cancellationToken
    )
    {
        var address = EndpointChecks.GetAddress(endpoint);
        string? distrust = null;
        await using var secured = new SslStream(stream, leaveInnerStreamOpen: true);
        var options = new SslClientAuthenticationOptions
        {
            TargetHost = endpoint.Host,
            RemoteCertificateValidationCallback = (_, certificate, chain, errors) =>
            {
                distrust = GetDistrust(endpoint.Host, certificate, chain, errors);
                return errors == SslPolicyErrors.None;
            },
        };
        try
        {
            await limit.RunAsync(token => secured.AuthenticateAsClientAsync(options, token), cancellationToken);
            using var certificate = new X509Certificate2(secured.RemoteCertificate!);
            return CheckResult.Ok(
                subject,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{address}: {secured.SslProtocol}, certificate of {certificate.GetNameInfo(X509NameType.SimpleName, false)} until {certificate.NotAfter.ToUniversalTime():yyyy-MM-dd}"
                )
            );
        }
        catch (AuthenticationException failure)
        {
            return distrust is null
                ? CheckResult.Failed(subject, $"{address}: {failure.Message}", "check whether the port has TLS, and whether a proxy inspects it")
                : CheckResult.Failed(
                    subject,
                    $"{address}: {distrust}",
                    "let this machine trust the authority (SSL_CERT_FILE on Linux), or correct the host name"
                );
        }
        catch (Exception failure) when (failure is IOException or MessagingException)
        {
            return CheckResult.Failed(subject, $"{address}: {failure.Message}", "check whether the port has TLS, and whether a firewall cuts it");
        }
    }

    private static string? GetDistrust(string host, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
        {
            return $"the certificate names {(certificate as X509Certificate2)?.GetNameInfo(X509NameType.SimpleName, false)}, not {host}";
        }

        return errors == SslPolicyErrors.None
            ? null
            : $"the certificate is not trusted ({string.Join(", ", chain?.ChainStatus.Select(static one => one.Status.ToString()).Distinct() ?? [])})";
    }
}
