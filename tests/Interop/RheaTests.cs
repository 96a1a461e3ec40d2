using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>rhea as a plain AMQP client. The flows are in js/rhea.mjs.</summary>
public sealed class RheaTests(FlowRuns runs) : FlowTests(runs, Group)
{
    internal static FlowGroup Group { get; } = new(typeof(RheaTests), FlowClient.Rhea, RunAsync);

    [Fact, Feature(Features.Send)]
    public Task A_plain_client_sends_and_reads_events() => PassesAsync();

    [Fact, Feature(Features.QueueWebSockets)]
    public Task A_message_travels_over_a_WebSocket() => PassesAsync();

    [Fact, Feature(Features.Outcomes)]
    public Task Accept_release_modify_and_reject_do_what_they_say() => PassesAsync();

    [Fact, Feature(Features.Outcomes)]
    public Task A_message_that_is_released_again_and_again_is_not_dead_lettered() => PassesAsync();

    [Fact, Feature(Features.Sizes)]
    public Task A_message_crosses_many_small_frames_both_ways() => PassesAsync();

    [Fact, Feature(Features.Drain)]
    public Task Drain_gives_what_there_is_and_takes_the_credit_back() => PassesAsync();

    [Fact, Feature(Features.HubErrors)]
    public Task A_link_to_nowhere_is_refused_by_attach_and_detach() => PassesAsync();

    [Fact, Feature(Features.Heartbeats)]
    public Task A_silent_connection_is_kept_alive_by_heartbeats() => PassesAsync();

    [Fact, Feature(Features.Idempotent)]
    public Task Idempotent_publishing_is_refused() => PassesAsync();

    [Fact, Feature(Features.Transactions)]
    public Task Transactions_are_refused() => PassesAsync();

    private static Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken) =>
        FlowScript.RunAsync(
            "rhea.mjs",
            ["rhea", "ws"],
            EntitySet.Default with
            {
                Hubs = [.. group.Flows.Select(static flow => new HubSettings(flow.Flow))],
                Queues = [.. group.Flows.Select(static flow => new QueueSettings(flow.Flow))],
            },
            cancellationToken
        );
}
