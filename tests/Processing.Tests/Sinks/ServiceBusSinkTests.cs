using EventHubThroughput.Clients;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Processing.Tests.Sinks;

public sealed class ServiceBusSinkTests
{
    [Fact]
    public async Task Passes_everything_on_as_it_is_under_the_events_own_identifier()
    {
        await using var sender = new RecordingSender();
        byte[] body = [0, 1, 255];
        byte[] properties = [9, 8];
        var received = new ReceivedEvent
        {
            PartitionId = "3",
            SequenceNumber = 41,
            Offset = "x",
            Body = body,
            BodyKind = EventBodyKind.Value,
            ContentType = "a/b",
            EncodedProperties = properties,
        };

        await new ServiceBusSink(sender, "hub").WriteAsync(received, TestContext.Current.CancellationToken);

        Assert.Equal(
            new OutgoingMessage
            {
                MessageId = "hub-3-41",
                Body = body,
                BodyKind = EventBodyKind.Value,
                ContentType = "a/b",
                EncodedProperties = properties,
            },
            Assert.Single(sender.Sent)
        );
    }

    [Fact]
    public async Task Sends_a_batch_in_one_operation()
    {
        await using var sender = new RecordingSender();

        var outcomes = await new ServiceBusSink(sender, "hub").WriteBatchAsync(Events(5), TestContext.Current.CancellationToken);

        Assert.Equal(new Exception?[5], outcomes);
        Assert.Equal(
            [
                ["hub-0-0", "hub-0-1", "hub-0-2", "hub-0-3", "hub-0-4"],
            ],
            sender.Operations
        );
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(7, 3)]
    [InlineData(100, 99)]
    public async Task A_refused_message_neither_repeats_nor_loses_the_others(int count, int bad)
    {
        await using var sender = new RecordingSender { Refused = $"hub-0-{bad}" };
        var sink = new ServiceBusSink(sender, "hub");
        Assert.InRange(count, 1, sink.LargestBatch);

        if (count == 1)
        {
            await Assert.ThrowsAsync<MessagingException>(async () => await sink.WriteBatchAsync(Events(1), TestContext.Current.CancellationToken));
            return;
        }

        var outcomes = await sink.WriteBatchAsync(Events(count), TestContext.Current.CancellationToken);

        Assert.Equal(FailureKind.TooLarge, Assert.IsType<MessagingException>(outcomes[bad]).Kind);
        Assert.Equal([bad], Enumerable.Range(0, count).Where(at => outcomes[at] is not null));
        Assert.Equal(Enumerable.Range(0, count).Where(at => at != bad).Select(at => $"hub-0-{at}"), sender.Sent.Select(message => message.MessageId));
    }

    [Theory]
    [InlineData(FailureKind.Transient)]
    [InlineData(FailureKind.Throttled)]
    [InlineData(FailureKind.Unauthorized)]
    public async Task A_failure_that_is_not_caused_by_a_message_is_thrown_and_not_tried_in_parts(FailureKind kind)
    {
        await using var sender = new RecordingSender { Refused = "hub-0-2", Kind = kind };

        await Assert.ThrowsAsync<MessagingException>(async () =>
            await new ServiceBusSink(sender, "hub").WriteBatchAsync(Events(4), TestContext.Current.CancellationToken)
        );

        Assert.Single(sender.Operations);
    }

    [Fact]
    public async Task Messages_of_one_half_stay_stored_when_the_service_is_busy_for_the_other()
    {
        await using var sender = new RecordingSender { Refused = "hub-0-0", Busy = "hub-0-3" };

        var outcomes = await new ServiceBusSink(sender, "hub").WriteBatchAsync(Events(4), TestContext.Current.CancellationToken);

        Assert.Equal(
            [FailureKind.TooLarge, null, FailureKind.Throttled, FailureKind.Throttled],
            outcomes.Select(outcome => (outcome as MessagingException)?.Kind)
        );
    }

    private static List<ReceivedEvent> Events(int count) => [.. Some.Batch(count).Events];

    private sealed class RecordingSender : IMessageSender
    {
        public List<OutgoingMessage> Sent { get; } = [];

        public List<string[]> Operations { get; } = [];

        public string? Refused { get; init; }

        public FailureKind Kind { get; init; } = FailureKind.TooLarge;

        /// <summary>The service is busy for this message, once the refused one is sent alone.</summary>
        public string? Busy { get; init; }

        public ValueTask SendAsync(OutgoingMessage message, CancellationToken cancellationToken) => SendBatchAsync([message], cancellationToken);

        public ValueTask SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken)
        {
            Operations.Add([.. messages.Select(message => message.MessageId)]);
            if (messages.Any(message => message.MessageId == Refused))
            {
                throw new MessagingException(Kind, "refused");
            }

            if (messages.Any(message => message.MessageId == Busy))
            {
                throw new MessagingException(FailureKind.Throttled, "busy");
            }

            Sent.AddRange(messages);
            return ValueTask.CompletedTask;
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
