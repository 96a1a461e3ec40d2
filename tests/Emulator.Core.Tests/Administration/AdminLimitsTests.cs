using System.Net;
using System.Net.Sockets;
using System.Text;
using EventHubThroughput.Emulator.Administration;
using EventHubThroughput.Emulator.Administration.Atom;
using EventHubThroughput.Emulator.Administration.Endpoint;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Emulator.Storage;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

/// <summary>Peers of the administration that do not continue.</summary>
public sealed class AdminLimitsTests : IDisposable
{
    private readonly ServiceBusRegistry _entities = new(new MemoryBudget(1 << 20), TimeProvider.System);

    private readonly EventHubRegistry _hubs = new(new MemoryBudget(1 << 20), TimeProvider.System);

    private AtomRoutes Atom => new(_entities, _hubs, default);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _entities.Dispose();
        _hubs.Dispose();
    }

    [Theory]
    [InlineData("", "")]
    [InlineData("GET /healthz HTTP/1.1\r\nHost: ", "HTTP/1.1 408")]
    [InlineData("PUT /hubs/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a2V5LWtleS1rZXkta2V5\r\nContent-Length: 100\r\n\r\n{", "HTTP/1.1 408")]
    public async Task A_request_that_does_not_come_ends_its_connection(string beginning, string expected)
    {
        var options = new AdminEndpointOptions
        {
            Key = new AccessKey("a2V5LWtleS1rZXkta2V5"),
            HeaderTime = TimeSpan.FromSeconds(1),
            MinimumRate = 1_000,
            MinimumRateGrace = TimeSpan.FromSeconds(1.5),
        };
        var routes = new AdminRoutes();
        routes.Map(
            "PUT",
            "/hubs/{name}",
            static async (request, cancellationToken) =>
            {
                await request.ReadSettingsAsync(cancellationToken);
                return AdminAnswer.Empty(201);
            }
        );
        await using var endpoint = await AdminEndpoint.StartAsync(options, routes, Atom, Cancellation);
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, endpoint.Address.Port, Cancellation);
        var stream = client.GetStream();
        await stream.WriteAsync(Encoding.ASCII.GetBytes(beginning), Cancellation);
        using var reader = new StreamReader(stream);

        // Far from this limit and from the two minutes that the server would wait by itself.
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(60), TimeProvider.System);
        var answer = await reader.ReadToEndAsync(patience.Token);
        Assert.StartsWith(expected, answer, StringComparison.Ordinal);
        Assert.Equal(expected.Length == 0, answer.Length == 0);
    }

    [Theory]
    [InlineData("")]
    [InlineData("\u0016\u0003\u0001")]
    public async Task A_handshake_that_does_not_come_ends_its_connection(string beginning)
    {
        using var certificate = DevelopmentCertificate.Create(IPAddress.Loopback, data: null, TimeProvider.System);
        var options = new AdminEndpointOptions
        {
            Key = new AccessKey("a2V5LWtleS1rZXkta2V5"),
            HeaderTime = TimeSpan.FromSeconds(1),
            Encrypted = (0, certificate.Certificate),
        };
        await using var endpoint = await AdminEndpoint.StartAsync(options, new AdminRoutes(), Atom, Cancellation);
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, endpoint.EncryptedAddress!.Port, Cancellation);
        await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(beginning), Cancellation);
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(60), TimeProvider.System);
        Assert.Equal(0, await client.GetStream().ReadAsync(new byte[1], patience.Token));
    }

    [Fact]
    public async Task A_connection_beyond_the_limit_is_closed()
    {
        var options = new AdminEndpointOptions { Key = new AccessKey("a2V5LWtleS1rZXkta2V5"), ConnectionLimit = 1 };
        await using var endpoint = await AdminEndpoint.StartAsync(options, new AdminRoutes(), Atom, Cancellation);
        using var first = new TcpClient();
        await first.ConnectAsync(IPAddress.Loopback, endpoint.Address.Port, Cancellation);
        await first.GetStream().WriteAsync("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"u8.ToArray(), Cancellation);
        Assert.NotEqual(0, await first.GetStream().ReadAsync(new byte[1], Cancellation));
        using var second = new TcpClient();
        await second.ConnectAsync(IPAddress.Loopback, endpoint.Address.Port, Cancellation);
        Assert.Equal(0, await second.GetStream().ReadAsync(new byte[1], Cancellation));
    }

    [Fact]
    public async Task A_place_is_free_again_when_its_connection_has_ended()
    {
        var options = new AdminEndpointOptions { Key = new AccessKey("a2V5LWtleS1rZXkta2V5"), ConnectionLimit = 1 };
        await using var endpoint = await AdminEndpoint.StartAsync(options, new AdminRoutes(), Atom, Cancellation);
        for (var served = 0; served < 3; )
        {
            // A client that comes before the server has noticed the end of the last one is turned away.
            served += await IsServedAsync(endpoint) ? 1 : 0;
        }
    }

    private static async Task<bool> IsServedAsync(AdminEndpoint endpoint)
    {
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(IPAddress.Loopback, endpoint.Address.Port, Cancellation);
            await client.GetStream().WriteAsync("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"u8.ToArray(), Cancellation);
            return await client.GetStream().ReadAsync(new byte[1], Cancellation) == 1;
        }
        catch (IOException)
        {
            return false;
        }
    }
}
