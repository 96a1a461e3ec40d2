// Without annotations, as in the package.
#nullable disable

using Azure.Core;
using Azure.Core.Amqp;

namespace Azure.Messaging.EventHubs;

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventData : MessageContent
{
    public EventData(ReadOnlyMemory<byte> eventBody) => throw null!;

    public EventData(AmqpAnnotatedMessage amqpMessage) => throw null!;

    public AmqpAnnotatedMessage GetRawAmqpMessage() => throw null!;

    public new string ContentType
    {
        get => throw null!;
        set => throw null!;
    }

    public IDictionary<string, object> Properties
    {
        get => throw null!;
    }

    public long SequenceNumber
    {
        get => throw null!;
    }

    public DateTimeOffset EnqueuedTime
    {
        get => throw null!;
    }

    public string PartitionKey
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubConnection : IAsyncDisposable
{
    public EventHubConnection(string connectionString, string eventHubName, EventHubConnectionOptions connectionOptions) => throw null!;

    public EventHubConnection(
        string fullyQualifiedNamespace,
        string eventHubName,
        TokenCredential credential,
        EventHubConnectionOptions connectionOptions = null
    ) => throw null!;

    public virtual ValueTask DisposeAsync() => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubConnectionOptions
{
    public EventHubConnectionOptions() => throw null!;

    public EventHubsTransportType TransportType
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public enum EventHubsTransportType
{
    AmqpTcp = 0,
    AmqpWebSockets = 1,
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubProperties
{
    internal EventHubProperties() => throw null!;

    public string Name
    {
        get => throw null!;
    }

    public DateTimeOffset CreatedOn
    {
        get => throw null!;
    }

    public string[] PartitionIds
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubsException : Exception
{
    internal EventHubsException() => throw null!;

    public bool IsTransient
    {
        get => throw null!;
    }

    public EventHubsException.FailureReason Reason
    {
        get => throw null!;
    }

    public enum FailureReason
    {
        ConsumerDisconnected = 2,
        ResourceNotFound = 3,
        MessageSizeExceeded = 4,
        QuotaExceeded = 5,
        ServiceBusy = 6,
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public enum EventHubsRetryMode
{
    Exponential = 1,
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubsRetryOptions
{
    public EventHubsRetryOptions() => throw null!;

    public EventHubsRetryMode Mode
    {
        set => throw null!;
    }

    public int MaximumRetries
    {
        set => throw null!;
    }

    public TimeSpan Delay
    {
        set => throw null!;
    }

    public TimeSpan MaximumDelay
    {
        set => throw null!;
    }

    public TimeSpan TryTimeout
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class PartitionProperties
{
    internal PartitionProperties() => throw null!;

    public string Id
    {
        get => throw null!;
    }

    public long BeginningSequenceNumber
    {
        get => throw null!;
    }

    public long LastEnqueuedSequenceNumber
    {
        get => throw null!;
    }

    public bool IsEmpty
    {
        get => throw null!;
    }
}
