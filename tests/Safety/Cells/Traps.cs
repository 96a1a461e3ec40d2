using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace EventHubThroughput.Safety.Cells;

/// <summary>Ports of this process that a consumer runs into: one that is taken, one that never answers, one with a bad certificate.</summary>
internal sealed class Traps : IAsyncDisposable
{
    private readonly List<TcpListener> listeners = [];
    private readonly List<Task> serving = [];
    private readonly CancellationTokenSource over = new();

    /// <summary>The text with the ports in place of <c>{port}</c>, <c>{silent}</c> and <c>{tls}</c>. Only those that occur are opened.</summary>
    public string Fill(string text) => Fill(Fill(Fill(text, "{port}", null), "{silent}", SilentAsync), "{tls}", BadCertificateAsync);

    public async ValueTask DisposeAsync()
    {
        await over.CancelAsync();

        // Accepted connections end by the token. A listener that was gone first would fault the next accept.
        await Task.WhenAll(serving);
        listeners.ForEach(listener => listener.Dispose());
        over.Dispose();
    }

    private string Fill(string text, string place, Func<TcpClient, Task>? serve)
    {
        if (!text.Contains(place, StringComparison.Ordinal))
        {
            return text;
        }

        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        listeners.Add(listener);
        if (serve is not null)
        {
            serving.Add(ServeAsync(listener, serve));
        }

        return text.Replace(place, ((IPEndPoint)listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    private async Task ServeAsync(TcpListener listener, Func<TcpClient, Task> serve)
    {
        try
        {
            while (true)
            {
                using var client = await listener.AcceptTcpClientAsync(over.Token);
                await serve(client);
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The cell has ended.
        }
    }

    private async Task SilentAsync(TcpClient client)
    {
        var heard = new byte[4_096];
        try
        {
            while (await client.GetStream().ReadAsync(heard, over.Token) > 0)
            {
                // Sends nothing, after any input.
            }
        }
        catch (IOException)
        {
            // Given up by the other side.
        }
    }

    private async Task BadCertificateAsync(TcpClient client)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=somebody.invalid", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using var expired = request.CreateSelfSigned(
            new DateTimeOffset(2020, 1, 1, 0, 0, 0, TimeSpan.Zero),
            new DateTimeOffset(2020, 2, 1, 0, 0, 0, TimeSpan.Zero)
        );
        await using var stream = new SslStream(client.GetStream());
        try
        {
            await stream.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = expired }, over.Token);
            await stream.ReadExactlyAsync(new byte[1], over.Token);
        }
        catch (Exception exception) when (exception is IOException or System.Security.Authentication.AuthenticationException)
        {
            // Refused, as it should be.
        }
    }
}
