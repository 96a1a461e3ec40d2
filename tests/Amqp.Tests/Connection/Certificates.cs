using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Certificates for a day, with their keys.</summary>
internal static class Certificates
{
    public static X509Certificate2 SelfSigned(string name)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        var now = TimeProvider.System.GetUtcNow();
        using var made = request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
    }
}
