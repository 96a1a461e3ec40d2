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

/// <summary>
/// Speaks TLS on the connections of a server that stands alone. Kestrel's own way needs the services of a host around it.
/// </summary>
/// <param name="certificate">What is shown to clients.</param>
/// <param name="handshakeTime">A client that takes longer is left.</param>
/// <param name="clock">Measures it.</param>
/// <param name="log">Told of those who do not get through.</param>
internal sealed class TlsConnections(X509Certificate2 certificate, TimeSpan handshakeTime, TimeProvider clock, ILogger log)
{
    /// <summary>What follows gets a connection whose bytes are plain.</summary>
    public ConnectionDelegate Before(ConnectionDelegate next) =>
        async connection =>
        {
            var plain = connection.Transport;
            await using var encrypted = new SslStream(new TransportStream(plain));
            if (!await ShakeHandsAsync(encrypted, connection.RemoteEndPoint, connection.ConnectionClosed))
            {
                return;
            }

            // By which the server knows that it is https.
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
            // It speaks no TLS, does not trust the certificate, or has gone: there is nothing to say to it.
            EmulatorLog.AdministrationHandshakeFailed(log, peer, exception);
            return false;
        }
    }
}

/// <summary>Marks a connection as one with TLS, whose peer was asked for no certificate.</summary>
internal sealed class WithoutClientCertificate : ITlsConnectionFeature
{
    public X509Certificate2? ClientCertificate { get; set; }

    public Task<X509Certificate2?> GetClientCertificateAsync(CancellationToken cancellationToken) => Task.FromResult(ClientCertificate);
}
