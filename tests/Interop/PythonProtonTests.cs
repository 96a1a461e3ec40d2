using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>python3-qpid-proton over TLS. The flows are in python/proton_flows.py. Every flow has a separate hub that is named like it.</summary>
public sealed class PythonProtonTests(FlowRuns runs) : FlowTests(runs, Group)
{
    internal static FlowGroup Group { get; } = new(typeof(PythonProtonTests), FlowClient.Proton, RunAsync);

    [Fact, Feature(Features.Send)]
    public Task Events_come_back_in_their_order() => PassesAsync();

    [Fact, Feature(Features.Positions)]
    public Task A_filter_chooses_the_start() => PassesAsync();

    [Fact, Feature(Features.Sizes)]
    public Task A_large_event_crosses_many_small_frames() => PassesAsync();

    [Fact, Feature(Features.Outcomes)]
    public Task Accept_release_modify_and_reject_do_what_they_say() => PassesAsync();

    [Fact, Feature(Features.HubErrors)]
    public Task A_link_to_nowhere_is_refused_and_the_connection_stays() => PassesAsync();

    [Fact, Feature(Features.HubErrors)]
    public Task A_wrong_key_is_refused() => PassesAsync();

    private static async Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken)
    {
        var python = PythonScript.Require("python3-qpid-proton", "proton");
        var entities = EntitySet.Default with
        {
            Hubs = [.. group.Flows.Select(static flow => new HubSettings(flow.Flow))],
            Queues = [new QueueSettings($"queue-of-{nameof(Accept_release_modify_and_reject_do_what_they_say)}")],
        };
        await using var emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = entities, TlsPort = 0 }, cancellationToken);
        return await PythonScript.RunAsync(python, "proton_flows.py", emulator, cancellationToken);
    }
}
