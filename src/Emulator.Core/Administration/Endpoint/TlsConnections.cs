using System.IO.Pipelines;
using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Emulator.Streams;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator.Administration.Endpoint;

/// <summary>Adds TLS to the connections of a server without a generic host. Kestrel's implementation needs the services of a host.</summary>
/// <param name="certificate">The server's certificate.</param>
/// <param name="handshakeTime">The limit for a handshake. The connection of a slower client is closed.</param>
/// <param name="clock">Measures the handshake.</param>
/// <param name="log">The log of failed handshakes.</param>
internal sealed class TlsConnections(X509Certificate2 certificate, TimeSpan handshakeTime, TimeProvider clock, ILogger log)
{
    /// <summary>Gives the next delegate a connection with decrypted bytes.</summary>
    public ConnectionDelegate Before(ConnectionDelegate next) =>
        async connection =>
        {
            var plain = connection.Transport;
            await using var encrypted = new SslStream(new TransportStream(plain));
            if (!await ShakeHandsAsync(encrypted, connection.RemoteEndPoint, connection.ConnectionClosed))
            {
                return;
            }

            // The server takes this feature as the sign of https.
            connection.Features.Set<ITlsConnectionFeature>(new WithoutClientCertificate());
            var input = PipeReader.Create(encrypted, new StreamPipeReaderOptions(leaveOpen: true));
            var output = PipeWriter.Create(encrypted, new StreamPipeWriterOptions(leaveOpen: true));
            connection.Transport = new DuplexPipe(input, output);
            try
            {
                await next(connection);
            }
            finally
            {
                connection.Transport = plain;
                await input.CompleteAsync();
                await output.CompleteAsync();
            }
        };

    private async Task<bool> ShakeHandsAsync(SslStream encrypted, EndPoint? peer, CancellationToken closed)
    {
        using var late = new CancellationTokenSource(handshakeTime, clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, closed);
        try
        {
            await encrypted.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = certificate }, either.Token);
            return true;
        }
        catch (Exception exception) when (exception is IOException or AuthenticationException or OperationCanceledException)
        {
            // The client does not speak TLS, does not trust the certificate, or has disconnected. An answer is not possible.
            EmulatorLog.AdministrationHandshakeFailed(log, peer, exception);
            return false;
        }
    }
}

/// <summary>Marks a connection as TLS, without a client certificate.</summary>
internal sealed class WithoutClientCertificate : ITlsConnectionFeature
{
    public X509Certificate2? ClientCertificate { get; set; }

    public Task<X509Certificate2?> GetClientCertificateAsync(CancellationToken cancellationToken) => Task.FromResult(ClientCertificate);
}
