using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The official Event Hubs SDK, unchanged. The flows are in js/eventhubs.mjs.</summary>
public sealed class JavaScriptEventHubsTests(FlowRuns runs) : FlowTests(runs, Group)
{
    internal static FlowGroup Group { get; } = new(typeof(JavaScriptEventHubsTests), FlowClient.JavaScript, RunAsync);

    [Fact, Feature(Features.Send)]
    public Task A_single_event_arrives_with_its_body() => PassesAsync();

    [Fact, Feature(Features.Send)]
    public Task A_batch_arrives_whole_and_in_order() => PassesAsync();

    [Fact, Feature(Features.PartitionKey)]
    public Task A_thousand_events_with_keys_arrive_once_and_in_order() => PassesAsync();

    [Fact, Feature(Features.PartitionId)]
    public Task A_partition_id_is_obeyed() => PassesAsync();

    [Fact, Feature(Features.PartitionKey)]
    public Task A_partition_key_leads_to_the_partition_that_the_service_chooses() => PassesAsync();

    [Fact, Feature(Features.Properties)]
    public Task Properties_of_every_type_come_back() => PassesAsync();

    [Fact, Feature(Features.Annotated)]
    public Task An_annotated_message_keeps_every_section() => PassesAsync();

    [Fact, Feature(Features.Sizes)]
    public Task Bodies_from_nothing_to_just_below_the_limit_arrive_unchanged() => PassesAsync();

    [Fact, Feature(Features.Sizes)]
    public Task An_event_beyond_the_limit_is_refused_as_too_large() => PassesAsync();

    [Fact, Feature(Features.Sizes)]
    public Task A_batch_takes_events_up_to_the_limit_and_is_accepted_then() => PassesAsync();

    [Fact, Feature(Features.Buffered)]
    public Task The_buffered_producer_sends_everything_it_was_given() => PassesAsync();

    [Fact, Feature(Features.Positions)]
    public Task A_reader_starts_at_the_earliest_event() => PassesAsync();

    [Fact, Feature(Features.Positions)]
    public Task A_reader_at_the_latest_position_gets_only_new_events() => PassesAsync();

    [Fact, Feature(Features.Positions)]
    public Task A_reader_starts_after_or_at_an_offset() => PassesAsync();

    [Fact, Feature(Features.Positions)]
    public Task A_reader_starts_after_or_at_a_sequence_number() => PassesAsync();

    [Fact, Feature(Features.Positions)]
    public Task A_reader_starts_after_an_enqueued_time() => PassesAsync();

    [Fact, Feature(Features.WaitingTime)]
    public Task An_empty_partition_hands_an_empty_batch_after_the_waiting_time() => PassesAsync();

    [Fact, Feature(Features.RuntimeMetric)]
    public Task The_last_enqueued_event_is_reported_with_every_delivery() => PassesAsync();

    [Fact, Feature(Features.ConsumerGroups)]
    public Task Consumer_groups_read_independently() => PassesAsync();

    [Fact, Feature(Features.OwnerLevel)]
    public Task A_higher_owner_level_evicts_a_lower_one() => PassesAsync();

    [Fact, Feature(Features.OwnerLevel)]
    public Task A_lower_owner_level_and_none_are_refused() => PassesAsync();

    [Fact, Feature(Features.HubManagement)]
    public Task Hub_properties_name_the_hub_and_its_partitions() => PassesAsync();

    [Fact, Feature(Features.HubManagement)]
    public Task Partition_properties_follow_the_partition() => PassesAsync();

    [Fact, Feature(Features.HubErrors)]
    public Task An_unknown_hub_is_reported_by_its_error() => PassesAsync();

    [Fact, Feature(Features.HubErrors)]
    public Task An_unknown_partition_is_reported_by_its_error() => PassesAsync();

    [Fact, Feature(Features.HubErrors)]
    public Task An_unknown_consumer_group_is_reported_by_its_error() => PassesAsync();

    [Fact, Feature(Features.HubErrors)]
    public Task A_wrong_key_is_unauthorised() => PassesAsync();

    [Fact, Feature(Features.Tokens)]
    public Task A_token_of_the_hub_is_enough() => PassesAsync();

    [Fact, Feature(Features.Tokens)]
    public Task An_expired_token_is_unauthorised() => PassesAsync();

    [Fact, Feature(Features.Tokens)]
    public Task A_token_of_another_hub_is_unauthorised() => PassesAsync();

    [Fact, Feature(Features.HubReconnect)]
    public Task A_reader_continues_after_a_cut_without_gap_or_repeat() => PassesAsync();

    [Fact, Feature(Features.HubReconnect)]
    public Task A_producer_sends_on_after_a_cut() => PassesAsync();

    // A hub for each flow, called like it.
    private static Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken) =>
        FlowScript.RunAsync(
            "eventhubs.mjs",
            ["@azure/event-hubs"],
            EntitySet.Default with
            {
                Hubs = [.. group.Flows.Select(static flow => new HubSettings(flow.Flow) { ConsumerGroups = ["$Default", "second"] })],
            },
            cancellationToken
        );
}
