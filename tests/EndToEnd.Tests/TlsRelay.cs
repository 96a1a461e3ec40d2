using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Puts TLS before a port that has none, with the emulator's own certificate. Or passes a connection on as it is.</summary>
internal sealed class TlsRelay : IAsyncDisposable
{
    private readonly TcpListener _listener;
    private readonly CancellationTokenSource _stop = new();
    private readonly X509Certificate2? _certificate;
    private readonly Task _accepting;

    private TlsRelay(IPEndPoint address, X509Certificate2? certificate, IPEndPoint target)
    {
        _certificate = certificate;
        _listener = new TcpListener(address);
        _listener.Start();
        _accepting = AcceptAsync(target);
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <param name="folder">The emulator's data directory, which holds certificate and key.</param>
    /// <param name="target">The port without TLS, at the address on which this one listens too.</param>
    public static TlsRelay Start(string folder, IPEndPoint target)
    {
        var certificate = X509Certificate2.CreateFromPemFile(Path.Combine(folder, "certificate.pem"), Path.Combine(folder, "certificate.key"));
        return new TlsRelay(new IPEndPoint(target.Address, 0), certificate, target);
    }

    /// <summary>Passes connections on as they are.</summary>
    /// <param name="address">Where it listens.</param>
    /// <param name="target">Where each connection goes.</param>
    public static TlsRelay Pass(IPEndPoint address, IPEndPoint target) => new(address, certificate: null, target);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Stop();
        await _accepting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _certificate?.Dispose();
        _stop.Dispose();
    }

    private async Task AcceptAsync(IPEndPoint target)
    {
        List<Task> relayed = [];
        try
        {
            while (true)
            {
                relayed.Add(RelayAsync(await _listener.AcceptTcpClientAsync(_stop.Token), target));
            }
        }
        finally
        {
            await Task.WhenAll(relayed);
        }
    }

    private async Task RelayAsync(TcpClient accepted, IPEndPoint target)
    {
        try
        {
            using (accepted)
            using (TcpClient connected = new())
            {
                await using var secured = await SecureAsync(accepted);
                await connected.ConnectAsync(target, _stop.Token);
                await Task.WhenAny(secured.CopyToAsync(connected.GetStream(), _stop.Token), connected.GetStream().CopyToAsync(secured, _stop.Token));
            }
        }
        catch (Exception exception) when (exception is IOException or SocketException or OperationCanceledException)
        {
            // One of the two has gone, or the test has ended.
        }
    }

    private async Task<Stream> SecureAsync(TcpClient accepted)
    {
        if (_certificate is null)
        {
            return accepted.GetStream();
        }

        var secured = new SslStream(accepted.GetStream());
        await secured.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = _certificate }, _stop.Token);
        return secured;
    }
}
