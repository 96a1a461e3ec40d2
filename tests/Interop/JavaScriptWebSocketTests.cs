using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The official SDKs over WebSockets, which are encrypted with them. The flows are in js/websockets.mjs.</summary>
public sealed class JavaScriptWebSocketTests(FlowRuns runs) : FlowTests(runs, Group)
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    internal static FlowGroup Group { get; } = new(typeof(JavaScriptWebSocketTests), FlowClient.JavaScript, RunAsync);

    [Fact, Feature(Features.HubWebSockets)]
    public Task Events_are_sent_and_read() => PassesAsync();

    [Fact, Feature(Features.QueueWebSockets)]
    public Task Messages_are_sent_received_and_completed() => PassesAsync();

    private static async Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken)
    {
        var entities = EntitySet.Default with
        {
            // One port for both services: a name is that of a hub or of a queue.
            Hubs = [new HubSettings(nameof(Events_are_sent_and_read))],
            Queues = [new QueueSettings(nameof(Messages_are_sent_received_and_completed))],
        };
        await using var emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = entities, TlsPort = 0 }, cancellationToken);
        var environment = new Dictionary<string, string>(emulator.Settings) { ["NODE_EXTRA_CA_CERTS"] = emulator.Settings["EMULATOR_TLS_CERTIFICATE"] };
        var node = new PeerScript(Peers.RequireNode("@azure/event-hubs", "@azure/service-bus", "ws"), Path.Combine(Peers.ScriptFolder, "websockets.mjs"));
        var result = await node.RunAsync(environment, Limit, cancellationToken);
        return FlowReport.Read(result.Output, result.Error);
    }
}
