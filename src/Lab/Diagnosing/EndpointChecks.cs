using System.Globalization;
using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>Checks the name, the port and the certificate of an endpoint.</summary>
/// <param name="network">The network.</param>
/// <param name="limit">The time of each wait.</param>
internal sealed class EndpointChecks(INetwork network, CheckLimit limit)
{
    private const string Name = "name";
    private const string Connection = "connection";
    private const string Tls = "TLS";

    /// <summary>The checks in their order. After a failure the others are skipped.</summary>
    public async IAsyncEnumerable<CheckResult> RunAsync(
        ServiceEndpoint endpoint,
        [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken
    )
    {
        if (endpoint.ProxiedAddress is { } address && network.GetProxy(address) is { } proxy)
        {
            yield return CheckResult.Skipped(Connection, $"{endpoint.Host}: connections use the proxy {proxy.Host}:{proxy.Port}");
            yield break;
        }

        var name = await ResolveAsync(endpoint, cancellationToken);
        yield return name;
        if (name.Outcome == CheckOutcome.Failed)
        {
            yield break;
        }

        var (connection, stream) = await ConnectAsync(endpoint, cancellationToken);
        yield return connection;
        if (stream is null)
        {
            yield break;
        }

        await using (stream)
        {
            yield return endpoint.PlainReason is { } reason
                ? CheckResult.Skipped(Tls, $"{GetAddress(endpoint)}: {reason}")
                : await CertificateCheck.RunAsync(Tls, endpoint, stream, limit, cancellationToken);
        }
    }

    private async Task<CheckResult> ResolveAsync(ServiceEndpoint endpoint, CancellationToken cancellationToken)
    {
        if (IPAddress.TryParse(endpoint.Host, out _))
        {
            return CheckResult.Skipped(Name, $"{endpoint.Host} is an address");
        }

        try
        {
            var addresses = await limit.RunAsync(token => network.ResolveAsync(endpoint.Host, token), cancellationToken);
            return CheckResult.Ok(Name, $"{endpoint.Host} is {string.Join(", ", addresses.Select(static one => one.ToString()))}");
        }
        catch (Exception failure) when (failure is SocketException or MessagingException)
        {
            return CheckResult.Failed(
                Name,
                $"{endpoint.Host}: {(failure is SocketException ? "no address is known" : failure.Message)}",
                $"correct {endpoint.Variables}. With a private endpoint, its private DNS zone must be known here"
            );
        }
    }

    private async Task<(CheckResult Result, Stream? Stream)> ConnectAsync(ServiceEndpoint endpoint, CancellationToken cancellationToken)
    {
        try
        {
            var stream = await limit.RunAsync(token => network.ConnectAsync(endpoint.Host, endpoint.Port, token), cancellationToken);
            return (CheckResult.Ok(Connection, GetAddress(endpoint)), stream);
        }
        catch (Exception failure) when (failure is SocketException or MessagingException)
        {
            var reason = failure is SocketException socket ? GetReason(socket.SocketErrorCode) : failure.Message;
            return (CheckResult.Failed(Connection, $"{GetAddress(endpoint)}: {reason}", GetCure(endpoint)), null);
        }
    }

    private static string GetReason(SocketError error) => error == SocketError.ConnectionRefused ? "refused" : $"no connection ({error})";

    private static string GetCure(ServiceEndpoint endpoint) =>
        endpoint.Services.Contains(ProbedService.Storage) ? $"correct {endpoint.Variables}, or allow this machine to connect to the port"
        : endpoint.ProxiedAddress is null ? $"correct {endpoint.Variables}, open the port, or set MESSAGING_TRANSPORT=websockets for port 443"
        : $"correct {endpoint.Variables}, or open the port";

    internal static string GetAddress(ServiceEndpoint endpoint) => string.Create(CultureInfo.InvariantCulture, $"{endpoint.Host}:{endpoint.Port}");
}
