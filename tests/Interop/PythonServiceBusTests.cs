using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The official Python SDK for Service Bus, unchanged. The flows are in python/servicebus_flows.py.</summary>
public sealed class PythonServiceBusTests(FlowRuns runs) : FlowTests(runs, Group)
{
    internal static FlowGroup Group { get; } = new(typeof(PythonServiceBusTests), FlowClient.Python, RunAsync);

    [Fact, Feature(Features.QueueWebSockets)]
    public Task Messages_travel_over_a_WebSocket() => PassesAsync();

    [Fact, Feature(Features.MessageSend)]
    public Task A_message_arrives_with_all_its_properties_and_is_completed() => PassesAsync();

    [Fact, Feature(Features.MessageSend)]
    public Task A_batch_arrives_whole_and_in_order() => PassesAsync();

    [Fact, Feature(Features.MessageSend)]
    public Task An_asynchronous_client_sends_and_receives() => PassesAsync();

    [Fact, Feature(Features.MessageSizes)]
    public Task A_message_beyond_the_limit_is_refused_as_too_large() => PassesAsync();

    [Fact, Feature(Features.ReceiveAndDelete)]
    public Task Receive_and_delete_leaves_no_messages() => PassesAsync();

    [Fact, Feature(Features.Abandon)]
    public Task An_abandoned_message_comes_again_with_a_higher_delivery_count() => PassesAsync();

    [Fact, Feature(Features.DeadLetters)]
    public Task A_message_that_fails_too_often_becomes_a_dead_letter() => PassesAsync();

    [Fact, Feature(Features.Defer)]
    public Task A_deferred_message_is_received_by_its_number() => PassesAsync();

    [Fact, Feature(Features.DeadLetters)]
    public Task A_dead_letter_has_its_reason() => PassesAsync();

    [Fact, Feature(Features.Locks)]
    public Task A_renewed_lock_lasts_longer() => PassesAsync();

    [Fact, Feature(Features.Locks)]
    public Task An_expired_lock_is_lost_and_the_message_comes_again() => PassesAsync();

    [Fact, Feature(Features.Locks)]
    public Task An_automatic_renewer_keeps_the_lock_of_a_slow_message() => PassesAsync();

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

    [Fact, Feature(Features.Forwarding)]
    public Task A_queue_forwards_its_messages() => PassesAsync();

    [Fact, Feature(Features.Topics)]
    public Task A_topic_gives_every_subscription_its_copy() => PassesAsync();

    [Fact, Feature(Features.Topics)]
    public Task A_subscription_has_its_own_dead_letters() => PassesAsync();

    [Fact, Feature(Features.Sessions)]
    public Task Sessions_are_refused_with_a_reason() => PassesAsync();

    [Fact, Feature(Features.QueueErrors)]
    public Task An_unknown_queue_is_reported_by_its_error() => PassesAsync();

    [Fact, Feature(Features.QueueErrors)]
    public Task A_wrong_key_is_unauthorised() => PassesAsync();

    // A queue or a topic for each flow, called like it.
    private static Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken)
    {
        string[] topics = [nameof(A_topic_gives_every_subscription_its_copy), nameof(A_subscription_has_its_own_dead_letters)];
        var entities = EntitySet.Default with
        {
            Queues = [new QueueSettings("forwarded"), .. group.Flows.Select(static flow => flow.Flow).Except(topics).Select(GetQueue)],
            Topics = [.. topics.Select(static topic => new TopicSettings(topic) { Subscriptions = [new QueueSettings("one"), new QueueSettings("two")] })],
        };
        return PythonScript.RunSdkAsync("servicebus_flows.py", entities, cancellationToken);
    }

    private static QueueSettings GetQueue(string flow)
    {
        var queue = new QueueSettings(flow);
        return flow switch
        {
            nameof(A_message_that_fails_too_often_becomes_a_dead_letter) => queue with { MaximumDeliveryCount = 3 },
            nameof(A_renewed_lock_lasts_longer)
            or nameof(An_expired_lock_is_lost_and_the_message_comes_again)
            or nameof(An_automatic_renewer_keeps_the_lock_of_a_slow_message) => queue with
            {
                LockDuration = TimeSpan.FromSeconds(6),
            },
            nameof(A_queue_may_keep_messages_whose_time_is_over_as_dead_letters) => queue with { DeadLetterExpired = true },
            nameof(A_second_message_of_the_same_id_is_dropped) => queue with { DuplicateDetection = TimeSpan.FromMinutes(1) },
            nameof(A_queue_forwards_its_messages) => queue with { ForwardTo = "forwarded" },
            _ => queue,
        };
    }
}
