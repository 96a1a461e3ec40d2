using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>Queues and topics in memory, on a paused clock.</summary>
public abstract class EntityFixture : IAsyncDisposable
{
    private protected static readonly TimeSpan LockDuration = TimeSpan.FromSeconds(30);

    private protected EntityFixture() => Registry = new ServiceBusRegistry(Budget, Clock);

    private protected VirtualClock Clock { get; } = new();

    private protected MemoryBudget Budget { get; } = new(1 << 20);

    private protected ServiceBusRegistry Registry { get; }

    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        Registry.Dispose();
        return ValueTask.CompletedTask;
    }

    private protected MessageQueue Queue(QueueSettings settings)
    {
        Assert.Equal(CreateVerdict.Created, Registry.CreateQueue(settings));
        return Registry.FindQueue(settings.Name)!;
    }

    private protected Topic Topic(TopicSettings settings)
    {
        Assert.Equal(CreateVerdict.Created, Registry.CreateTopic(settings));
        return Registry.FindTopic(settings.Name)!;
    }

    private protected static long Send(IMessageEntity entity, params MessageContent[] contents) =>
        Assert.IsType<Receipt>(entity.Send(contents, null, 0)).Sequences[0];

    private protected static string[] Ids(MessageQueue queue) => [.. queue.Peek(0, int.MaxValue).Select(static message => message.Content.MessageId)];

    /// <summary>Id and reason of every dead letter.</summary>
    private protected static (string Id, string? Reason)[] Dead(MessageQueue queue) =>
        [
            .. queue
                .DeadLetters!.Peek(0, int.MaxValue)
                .Select(static dead => (dead.Content.MessageId, Decode(dead).ApplicationProperties?.FindString(AmqpNames.DeadLetterReason))),
        ];

    private protected static AmqpMessage Decode(QueueDelivery delivery) => AmqpMessage.Decode(delivery.Encode());

    private protected static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);
}
