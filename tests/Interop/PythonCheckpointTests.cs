using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The official Python consumer with its blob checkpoint store. The flows are in python/checkpoints_flows.py.</summary>
public sealed class PythonCheckpointTests(FlowRuns runs) : FlowTests(runs, Group)
{
    internal static FlowGroup Group { get; } = new(typeof(PythonCheckpointTests), FlowClient.Python, RunAsync);

    [Fact, Feature(Features.Checkpoints)]
    public Task A_consumer_continues_from_its_checkpoints() => PassesAsync();

    [Fact, Feature(Features.Checkpoints)]
    public Task Events_after_the_last_checkpoint_come_again() => PassesAsync();

    [Fact, Feature(Features.Balancing)]
    public Task Two_consumers_share_the_partitions_and_hand_them_over() => PassesAsync();

    private static Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken) =>
        PythonScript.RunSdkAsync(
            "checkpoints_flows.py",
            EntitySet.Default with
            {
                Hubs = [.. group.Flows.Select(static flow => new HubSettings(flow.Flow))],
            },
            cancellationToken
        );
}
