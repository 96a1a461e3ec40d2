// Without annotations, as in the package.
#nullable disable

namespace Azure.Messaging.EventHubs.Consumer;

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubConsumerClient : IAsyncDisposable
{
    public EventHubConsumerClient(string consumerGroup, EventHubConnection connection, EventHubConsumerClientOptions clientOptions = null) => throw null!;

    public virtual Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken = default) => throw null!;

    ValueTask IAsyncDisposable.DisposeAsync() => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubConsumerClientOptions
{
    internal EventHubConsumerClientOptions() => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public struct EventPosition
{
    public static EventPosition FromSequenceNumber(long sequenceNumber, bool isInclusive = true) => throw null!;

    public static EventPosition Earliest
    {
        get => throw null!;
    }

    public static EventPosition Latest
    {
        get => throw null!;
    }
}
