using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>python3-uamqp over TLS. The flows are in python/uamqp_flows.py.</summary>
public sealed class PythonUamqpTests(FlowRuns runs) : FlowTests(runs, Group)
{
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
        var python = PythonScript.Require("python3-uamqp", "uamqp");
        await using var emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = EntitySet.Default, TlsPort = 0 }, cancellationToken);
        return await PythonScript.RunAsync(python, "uamqp_flows.py", emulator, cancellationToken);
    }
}
