using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The official Service Bus SDK, unchanged. The flows are in js/servicebus.mjs.</summary>
public sealed class JavaScriptServiceBusTests(FlowRuns runs) : FlowTests(runs, Group)
{
    internal static FlowGroup Group { get; } = new(typeof(JavaScriptServiceBusTests), FlowClient.JavaScript, RunAsync);

    [Fact, Feature(Features.MessageSend)]
    public Task A_message_arrives_with_all_its_properties_and_is_completed() => PassesAsync();

    [Fact, Feature(Features.MessageSend)]
    public Task A_batch_arrives_whole_and_in_order() => PassesAsync();

    [Fact, Feature(Features.MessageSizes)]
    public Task A_message_beyond_the_limit_is_refused_as_too_large() => PassesAsync();

    [Fact, Feature(Features.ReceiveAndDelete)]
    public Task Receive_and_delete_leaves_no_messages() => PassesAsync();

    [Fact, Feature(Features.MessageSend)]
    public Task The_iterator_hands_messages_one_by_one() => PassesAsync();

    [Fact, Feature(Features.Abandon)]
    public Task An_abandoned_message_comes_again_with_a_higher_delivery_count() => PassesAsync();

    [Fact, Feature(Features.DeadLetters)]
    public Task A_message_that_fails_too_often_becomes_a_dead_letter() => PassesAsync();

    [Fact, Feature(Features.Defer)]
    public Task A_deferred_message_is_received_by_its_number() => PassesAsync();

    [Fact, Feature(Features.DeadLetters)]
    public Task A_dead_letter_has_its_reason() => PassesAsync();

    [Fact, Feature(Features.DeadLetters)]
    public Task A_dead_letter_cannot_be_dead_lettered_again() => PassesAsync();

    [Fact, Feature(Features.MessageSend)]
    public Task The_flags_of_a_message_arrive_as_they_were_sent() => PassesAsync();

    [Fact, Feature(Features.SettleLater)]
    public Task A_message_is_settled_after_its_receiver_has_closed() => PassesAsync();

    [Fact, Feature(Features.Locks)]
    public Task A_renewed_lock_lasts_longer() => PassesAsync();

    [Fact, Feature(Features.Locks)]
    public Task An_expired_lock_is_lost_and_the_message_comes_again() => PassesAsync();

    [Fact, Feature(Features.Processor)]
    public Task A_processor_renews_the_locks_of_slow_messages() => PassesAsync();

    [Fact, Feature(Features.Peek)]
    public Task Peek_shows_messages_without_locking_them() => PassesAsync();

    [Fact, Feature(Features.Scheduled)]
    public Task A_scheduled_message_comes_at_its_time() => PassesAsync();

    [Fact, Feature(Features.Scheduled)]
    public Task A_cancelled_message_never_comes() => PassesAsync();

    [Fact, Feature(Features.TimeToLive)]
    public Task A_message_whose_time_is_over_goes_away() => PassesAsync();

    [Fact, Feature(Features.TimeToLive)]
    public Task A_queue_may_keep_messages_whose_time_is_over_as_dead_letters() => PassesAsync();

    [Fact, Feature(Features.Duplicates)]
    public Task A_second_message_of_the_same_id_is_dropped() => PassesAsync();

    [Fact, Feature(Features.Topics)]
    public Task A_topic_gives_every_subscription_its_copy() => PassesAsync();

    [Fact, Feature(Features.Topics)]
    public Task A_subscription_has_its_own_dead_letters() => PassesAsync();

    [Fact, Feature(Features.CorrelationRules)]
    public Task A_correlation_rule_chooses_the_messages_of_a_subscription() => PassesAsync();

    [Fact, Feature(Features.SqlRules)]
    public Task An_SQL_rule_chooses_the_messages_of_a_subscription() => PassesAsync();

    [Fact, Feature(Features.SqlRules)]
    public Task An_SQL_rule_with_a_malformed_condition_is_refused_with_the_position() => PassesAsync();

    [Fact, Feature(Features.RuleActions)]
    public Task The_action_of_a_rule_is_refused_with_a_reason() => PassesAsync();

    [Fact, Feature(Features.Forwarding)]
    public Task A_queue_forwards_its_messages() => PassesAsync();

    [Fact, Feature(Features.Forwarding)]
    public Task A_queue_forwards_its_dead_letters() => PassesAsync();

    [Fact, Feature(Features.Sessions)]
    public Task Sessions_are_refused_with_a_reason() => PassesAsync();

    [Fact, Feature(Features.QueueErrors)]
    public Task An_unknown_queue_is_reported_by_its_error() => PassesAsync();

    [Fact, Feature(Features.QueueErrors)]
    public Task A_wrong_key_is_unauthorised() => PassesAsync();

    [Fact, Feature(Features.QueueReconnect)]
    public Task Sender_and_receiver_continue_after_a_cut() => PassesAsync();

    // A queue or a topic for each flow, called like it.
    private static Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken)
    {
        string[] topics =
        [
            nameof(A_topic_gives_every_subscription_its_copy),
            nameof(A_subscription_has_its_own_dead_letters),
            nameof(A_correlation_rule_chooses_the_messages_of_a_subscription),
            nameof(An_SQL_rule_chooses_the_messages_of_a_subscription),
            nameof(An_SQL_rule_with_a_malformed_condition_is_refused_with_the_position),
            nameof(The_action_of_a_rule_is_refused_with_a_reason),
        ];
        var entities = EntitySet.Default with
        {
            Queues =
            [
                .. EntitySet.Default.Queues,
                new QueueSettings("forwarded"),
                new QueueSettings("dead-forwarded"),
                .. group.Flows.Select(static flow => flow.Flow).Except(topics).Select(GetQueue),
            ],
            Topics = [.. topics.Select(static topic => new TopicSettings(topic) { Subscriptions = [new QueueSettings("one"), new QueueSettings("two")] })],
        };
        return FlowScript.RunAsync("servicebus.mjs", ["@azure/service-bus"], entities, cancellationToken);
    }

    private static QueueSettings GetQueue(string flow)
    {
        var queue = new QueueSettings(flow);
        return flow switch
        {
            nameof(A_message_that_fails_too_often_becomes_a_dead_letter) => queue with { MaximumDeliveryCount = 3 },
            nameof(A_renewed_lock_lasts_longer)
            or nameof(An_expired_lock_is_lost_and_the_message_comes_again)
            or nameof(A_processor_renews_the_locks_of_slow_messages) => queue with
            {
                LockDuration = TimeSpan.FromSeconds(3),
            },
            nameof(A_queue_may_keep_messages_whose_time_is_over_as_dead_letters) => queue with { DeadLetterExpired = true },
            nameof(A_second_message_of_the_same_id_is_dropped) => queue with { DuplicateDetection = TimeSpan.FromMinutes(1) },
            nameof(A_queue_forwards_its_messages) => queue with { ForwardTo = "forwarded" },
            nameof(A_queue_forwards_its_dead_letters) => queue with { ForwardDeadLettersTo = "dead-forwarded" },
            _ => queue,
        };
    }
}
