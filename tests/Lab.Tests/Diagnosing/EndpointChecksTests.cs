using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Diagnosing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Diagnosing;

public sealed class EndpointChecksTests
{
    private static readonly ServiceEndpoint Namespace = new([ProbedService.EventHubs], "orders.servicebus.windows.net", 5671)
    {
        Variables = "EVENTHUB_CONNECTION_STRING",
    };

    [Fact]
    public async Task A_name_without_an_address_ends_the_checks_of_its_endpoint()
    {
        var results = await RunAsync(new ScriptedNetwork { Unknown = true });

        var result = Assert.Single(results);
        Assert.Equal((CheckOutcome.Failed, "name", "orders.servicebus.windows.net: no address is known"), (result.Outcome, result.Subject, result.Text));
        Assert.StartsWith("correct EVENTHUB_CONNECTION_STRING. ", result.Cure, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(SocketError.ConnectionRefused, "orders.servicebus.windows.net:5671: refused")]
    [InlineData(SocketError.NetworkUnreachable, "orders.servicebus.windows.net:5671: no connection (NetworkUnreachable)")]
    public async Task A_port_that_is_closed_is_reported_with_the_transport_that_needs_another_port(SocketError error, string expected)
    {
        var results = await RunAsync(new ScriptedNetwork { Refusal = error });

        Assert.Equal(["orders.servicebus.windows.net is 192.0.2.1", expected], results.Select(static one => one.Text));
        Assert.Equal("correct EVENTHUB_CONNECTION_STRING, open the port, or set MESSAGING_TRANSPORT=websockets for port 443", results[^1].Cure);
    }

    [Fact]
    public async Task A_peer_that_closes_during_the_handshake_has_no_TLS()
    {
        var results = await RunAsync(new ScriptedNetwork());

        Assert.Equal(("TLS", CheckOutcome.Failed), (results[^1].Subject, results[^1].Outcome));
        Assert.StartsWith("check whether the port has TLS", results[^1].Cure, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_is_resolved_for_connections_that_use_a_proxy()
    {
        var network = new ScriptedNetwork { Unknown = true, Proxy = new Uri("http://proxy.example:3128") };

        var results = await RunAsync(network, Namespace with { ProxiedAddress = new Uri("https://orders.servicebus.windows.net") });

        Assert.Equal([CheckResult.Skipped("connection", "orders.servicebus.windows.net: connections use the proxy proxy.example:3128")], results);
    }

    [Fact]
    public async Task An_endpoint_without_TLS_has_the_reason()
    {
        var results = await RunAsync(new ScriptedNetwork(), Namespace with { PlainReason = "off" });

        Assert.Equal(CheckResult.Skipped("TLS", "orders.servicebus.windows.net:5671: off"), results[^1]);
    }

    private static async Task<List<CheckResult>> RunAsync(ScriptedNetwork network, ServiceEndpoint? endpoint = null)
    {
        var checks = new EndpointChecks(network, new CheckLimit(TimeSpan.FromMinutes(1), TimeProvider.System));
        List<CheckResult> results = [];
        await foreach (var result in checks.RunAsync(endpoint ?? Namespace, TestContext.Current.CancellationToken))
        {
            results.Add(result);
        }

        return results;
    }

    private sealed class ScriptedNetwork : INetwork
    {
        public bool Unknown { get; init; }

        public SocketError? Refusal { get; init; }

        public Uri? Proxy { get; init; }

        public Task<IPAddress[]> ResolveAsync(string host, CancellationToken cancellationToken) =>
            Unknown ? throw new SocketException((int)SocketError.HostNotFound) : Task.FromResult<IPAddress[]>([new IPAddress([192, 0, 2, 1])]);

        // The end of the stream is the peer's close.
        public Task<Stream> ConnectAsync(string host, int port, CancellationToken cancellationToken) =>
            Refusal is { } error ? throw new SocketException((int)error) : Task.FromResult<Stream>(new MemoryStream());

        public Uri? GetProxy(Uri address) => Proxy;
    }
}
