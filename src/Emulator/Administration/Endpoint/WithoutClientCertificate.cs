using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Http.Features;

namespace EventHubThroughput.Emulator.Administration.Endpoint;

/// <summary>Marks a connection as one with TLS, whose peer was asked for no certificate.</summary>
internal sealed class WithoutClientCertificate : ITlsConnectionFeature
{
    public X509Certificate2? ClientCertificate { get; set; }

    public Task<X509Certificate2?> GetClientCertificateAsync(CancellationToken cancellationToken) => Task.FromResult(ClientCertificate);
}
