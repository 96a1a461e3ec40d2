using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>
/// A self-signed certificate for localhost, the loopback addresses and the listening address. Clients trust a PEM file. The private key is stored only in a
/// data directory, so that a restart uses the same certificate.
/// </summary>
internal sealed class DevelopmentCertificate : IDisposable
{
    private const string CertificateFile = "certificate.pem";
    private const string KeyFile = "certificate.key";

    private static readonly TimeSpan Life = TimeSpan.FromDays(30);

    // Allows for slow clocks of clients, and for long runs.
    private static readonly TimeSpan Slack = TimeSpan.FromDays(1);

    private readonly TemporaryFolder? _folder;

    private DevelopmentCertificate(X509Certificate2 certificate, string path, TemporaryFolder? folder)
    {
        Certificate = certificate;
        Path = path;
        _folder = folder;
    }

    public X509Certificate2 Certificate { get; }

    /// <summary>The PEM file for clients to trust.</summary>
    public string Path { get; }

    /// <summary>
    /// Returns the certificate of the data directory, unless it expires soon or does not name the host. Without a directory, creates one in a folder that is
    /// deleted with the emulator.
    /// </summary>
    /// <exception cref="EmulatorException">The certificate cannot be written.</exception>
    public static DevelopmentCertificate Create(IPAddress host, DataDirectory? data, TimeProvider clock)
    {
        try
        {
            if (data is null)
            {
                return Write(Generate(host, clock), MakeFolder());
            }

            var kept = data.GetFile(CertificateFile);
            return new DevelopmentCertificate(
                Read(kept, data.GetFile(KeyFile), host, clock) ?? Write(Generate(host, clock), kept, data.GetFile(KeyFile)),
                kept,
                folder: null
            );
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new EmulatorException(EmulatorErrorKind.NotWritable, $"the certificate cannot be written ({exception.Message})", exception)
            {
                Settings = [EmulatorSetting.TlsPort, EmulatorSetting.AdminTlsPort],
            };
        }
    }

    public void Dispose()
    {
        Certificate.Dispose();
        _folder?.Dispose();
    }

    private static TemporaryFolder MakeFolder()
    {
        try
        {
            return TemporaryFolder.Create("emulator");
        }
        catch (IOException exception)
        {
            throw new EmulatorException(EmulatorErrorKind.InvalidInput, exception.Message, exception);
        }
    }

    private static DevelopmentCertificate Write(X509Certificate2 fresh, TemporaryFolder folder)
    {
        try
        {
            var path = System.IO.Path.Combine(folder.Path, CertificateFile);
            WholeFile.Write(path, Encoding.ASCII.GetBytes(fresh.ExportCertificatePem() + "\n"));
            return new DevelopmentCertificate(fresh, path, folder);
        }
        catch
        {
            folder.Dispose();
            throw;
        }
    }

    private static X509Certificate2 Generate(IPAddress host, TimeProvider clock)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=EventHubThroughput emulator", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        foreach (var address in new HashSet<IPAddress> { IPAddress.Loopback, IPAddress.IPv6Loopback, host })
        {
            names.AddIpAddress(address);
        }

        // A separate authority: a client that trusts it trusts only this emulator.
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: true, pathLengthConstraint: 0, critical: true)
        );
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.KeyCertSign, critical: true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.1")], critical: false));
        request.CertificateExtensions.Add(names.Build());
        var now = clock.GetUtcNow();
        using var made = request.CreateSelfSigned(now - Slack, now + Life);

        // Some platforms cannot serve with a key that was never in a store.
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
    }

    private static X509Certificate2? Read(string certificate, string key, IPAddress host, TimeProvider clock)
    {
        if (!File.Exists(certificate) || !File.Exists(key))
        {
            return null;
        }

        try
        {
            using var read = X509Certificate2.CreateFromPemFile(certificate, key);
            return read.MatchesHostname(host.ToString()) && read.NotAfter.ToUniversalTime() - clock.GetUtcNow().UtcDateTime > Slack
                ? X509CertificateLoader.LoadPkcs12(read.Export(X509ContentType.Pkcs12), null)
                : null;
        }
        catch (CryptographicException)
        {
            // The file is damaged and will be replaced.
            return null;
        }
    }

    private static X509Certificate2 Write(X509Certificate2 fresh, string certificate, string key)
    {
        using var secret = fresh.GetECDsaPrivateKey()!;
        WholeFile.Write(key, Encoding.ASCII.GetBytes(secret.ExportPkcs8PrivateKeyPem() + "\n"));
        WholeFile.Write(certificate, Encoding.ASCII.GetBytes(fresh.ExportCertificatePem() + "\n"));
        return fresh;
    }
}
