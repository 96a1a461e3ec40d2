using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Sinks;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Sinks;

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

    private sealed class RecordingSender : IMessageSender
    {
        public List<OutgoingMessage> Sent { get; } = [];

        public Task SendAsync(OutgoingMessage message, CancellationToken cancellationToken)
        {
            Sent.Add(message);
            return Task.CompletedTask;
        }

        public Task SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken) => throw new NotSupportedException();

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
