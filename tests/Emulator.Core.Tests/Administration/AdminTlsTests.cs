using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

/// <summary>The administration over TLS, for clients that speak nothing else.</summary>
public sealed class AdminTlsTests : RunningEmulator
{
    private Uri Address =>
        new(Host.Settings["EMULATOR_TLS_ADMINISTRATION_CONNECTION_STRING"].Split(';')[0].Replace("Endpoint=sb:", "https:", StringComparison.Ordinal));

    [Fact]
    public async Task A_client_that_trusts_the_printed_certificate_is_answered_many_times_on_one_connection()
    {
        using var client = Trusting();
        for (var i = 0; i < 3; i++)
        {
            Assert.Equal("ready\n", await client.GetStringAsync(new Uri(Address, "/healthz"), Cancellation));
        }
    }

    [Fact]
    public async Task A_client_that_does_not_trust_the_certificate_gets_no_answer()
    {
        using var client = new HttpClient();
        var refusal = await Assert.ThrowsAsync<HttpRequestException>(() => client.GetStringAsync(new Uri(Address, "/healthz"), Cancellation));

        // The port is there and speaks TLS: it is the certificate that the client does not take.
        Assert.Equal(HttpRequestError.SecureConnectionError, refusal.HttpRequestError);
        Assert.Contains("certificate", Assert.IsType<AuthenticationException>(refusal.InnerException).Message, StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")]
    [InlineData("")]
    public async Task The_TLS_port_sends_no_HTTP_to_a_client_without_TLS(string sent)
    {
        using var socket = new TcpClient();
        await socket.ConnectAsync(Address.Host, Address.Port, Cancellation);
        await using var stream = socket.GetStream();
        await stream.WriteAsync(Encoding.ASCII.GetBytes(sent), Cancellation);
        socket.Client.Shutdown(SocketShutdown.Send);
        using var answer = new MemoryStream();
        await stream.CopyToAsync(answer, Cancellation);
        Assert.DoesNotContain("HTTP", Encoding.ASCII.GetString(answer.ToArray()), StringComparison.Ordinal);
    }

    [Fact]
    public void The_plain_address_stays_and_nothing_else_is_opened()
    {
        Assert.StartsWith("http://127.0.0.1:", Host.Settings["EMULATOR_ADMIN_URL"], StringComparison.Ordinal);
        Assert.False(Host.Settings.ContainsKey("EMULATOR_TLS_CONNECTION_STRING"));
    }

    // The usual ports of HTTP, which an address leaves out.
    [Fact]
    public void The_usual_ports_are_printed_as_well()
    {
        var anywhere = new IPEndPoint(IPAddress.Loopback, 1);
        var printed = new ConnectionDescription
        {
            Key = AccessKey.CreateRandom(),
            EventHubs = anywhere,
            ServiceBus = anywhere,
            Storage = "",
            Admin = new Uri("http://127.0.0.1:80"),
            EncryptedAdmin = new Uri("https://127.0.0.1:443"),
            Entities = Host.Entities,
        }.ToVariables();
        Assert.StartsWith("Endpoint=sb://127.0.0.1:80;", printed["SERVICEBUS_ADMINISTRATION_CONNECTION_STRING"], StringComparison.Ordinal);
        Assert.StartsWith("Endpoint=sb://localhost:443;", printed["EMULATOR_TLS_ADMINISTRATION_CONNECTION_STRING"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_open_connection_does_not_hold_up_the_end()
    {
        using var client = Trusting();
        Assert.Equal("ready\n", await client.GetStringAsync(new Uri(Address, "/healthz"), Cancellation));
        await Host.DisposeAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(60), TimeProvider.System, Cancellation);
    }

    private HttpClient Trusting()
    {
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.ImportFromPemFile(Host.Settings["EMULATOR_TLS_CERTIFICATE"]);
        return new HttpClient(new SocketsHttpHandler { SslOptions = { CertificateChainPolicy = policy }, MaxConnectionsPerServer = 1 });
    }

    private protected override EmulatorOptions Options() => new() { AdminTlsPort = 0 };
}
