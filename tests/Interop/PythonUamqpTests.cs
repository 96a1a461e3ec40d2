using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>python3-uamqp over TLS; the flows are in python/uamqp_flows.py.</summary>
public sealed class PythonUamqpTests(FlowRuns runs) : FlowTests(runs, Group)
{
    // Debian's package belongs to Debian's Python, whatever else is on the search path.
    private const string Python = "/usr/bin/python3";

    internal static FlowGroup Group { get; } = new(typeof(PythonUamqpTests), FlowClient.Uamqp, RunAsync);

    [Fact, Feature(Features.Send)]
    public Task Three_events_come_back_from_their_partition() => PassesAsync();

    [Fact, Feature(Features.Positions)]
    public Task A_filter_chooses_the_start() => PassesAsync();

    [Fact, Feature(Features.Sizes)]
    public Task A_large_event_crosses_many_frames() => PassesAsync();

    [Fact, Feature(Features.MessageSend)]
    public Task A_message_is_sent_received_and_settled() => PassesAsync();

    [Fact, Feature(Features.Tokens)]
    public Task A_token_put_to_cbs_opens_the_link() => PassesAsync();

    [Fact, Feature(Features.HubErrors)]
    public Task A_wrong_key_is_refused() => PassesAsync();

    private static async Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken)
    {
        Peers.Require(
            File.Exists(Python) && Directory.Exists("/usr/lib/python3/dist-packages/uamqp"),
            "python3-uamqp is not installed; run 'apt-get install python3-uamqp' on Debian");
        await using EmulatorHost emulator = await EmulatorHost.StartAsync(
            new EmulatorOptions { Entities = EntitySet.Default, TlsPort = 0 }, cancellationToken);
        PeerScript script = new(Python, Path.Combine(Peers.RootFolder, "tests", "Interop", "python", "uamqp_flows.py"));
        PeerScriptResult result = await script.RunAsync(emulator.Settings, TimeSpan.FromMinutes(2), cancellationToken);
        return FlowReport.Read(result.Output, result.Error);
    }
}
