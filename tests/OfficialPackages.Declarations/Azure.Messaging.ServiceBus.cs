// Without annotations, as in the package.
#nullable disable

using Azure.Core;
using Azure.Core.Amqp;

namespace Azure.Messaging.ServiceBus;

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public class ServiceBusClient : IAsyncDisposable
{
    public virtual ValueTask DisposeAsync() => throw null!;

    public ServiceBusClient(string connectionString, ServiceBusClientOptions options) => throw null!;

    public ServiceBusClient(string fullyQualifiedNamespace, TokenCredential credential, ServiceBusClientOptions options) => throw null!;

    public virtual ServiceBusSender CreateSender(string queueOrTopicName) => throw null!;

    public virtual ServiceBusReceiver CreateReceiver(string queueName, ServiceBusReceiverOptions options) => throw null!;
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public class ServiceBusClientOptions
{
    public ServiceBusClientOptions() => throw null!;

    public ServiceBusRetryOptions RetryOptions
    {
        set => throw null!;
    }

    public ServiceBusTransportType TransportType
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public enum ServiceBusTransportType
{
    AmqpTcp = 0,
    AmqpWebSockets = 1,
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public class ServiceBusException : Exception
{
    internal ServiceBusException() => throw null!;

    public bool IsTransient
    {
        get => throw null!;
    }

    public ServiceBusFailureReason Reason
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public enum ServiceBusFailureReason
{
    MessagingEntityNotFound = 1,
    MessageLockLost = 2,
    MessageSizeExceeded = 4,
    MessagingEntityDisabled = 5,
    QuotaExceeded = 6,
    ServiceBusy = 7,
    ServiceTimeout = 8,
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public class ServiceBusMessage
{
    public ServiceBusMessage(ReadOnlyMemory<byte> body) => throw null!;

    public ServiceBusMessage(AmqpAnnotatedMessage message) => throw null!;

    public string MessageId
    {
        set => throw null!;
    }

    public string ContentType
    {
        set => throw null!;
    }

    public IDictionary<string, object> ApplicationProperties
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public sealed class ServiceBusMessageBatch : IDisposable
{
    internal ServiceBusMessageBatch() => throw null!;

    public bool TryAddMessage(ServiceBusMessage message) => throw null!;

    public long MaxSizeInBytes
    {
        get => throw null!;
    }

    public int Count
    {
        get => throw null!;
    }

    void IDisposable.Dispose() => throw null!;
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public class ServiceBusReceivedMessage
{
    internal ServiceBusReceivedMessage() => throw null!;

    public AmqpAnnotatedMessage GetRawAmqpMessage() => throw null!;

    public string MessageId
    {
        get => throw null!;
    }

    public string ContentType
    {
        get => throw null!;
    }

    public string LockToken
    {
        get => throw null!;
    }

    public int DeliveryCount
    {
        get => throw null!;
    }

    public DateTimeOffset LockedUntil
    {
        get => throw null!;
    }

    public long SequenceNumber
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public enum ServiceBusReceiveMode
{
    PeekLock = 0,
    ReceiveAndDelete = 1,
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public class ServiceBusReceiver : IAsyncDisposable
{
    internal ServiceBusReceiver() => throw null!;

    public virtual Task<IReadOnlyList<ServiceBusReceivedMessage>> ReceiveMessagesAsync(
        int maxMessages,
        TimeSpan? maxWaitTime = null,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public virtual Task<IReadOnlyList<ServiceBusReceivedMessage>> PeekMessagesAsync(
        int maxMessages,
        long? fromSequenceNumber = null,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public virtual Task CompleteMessageAsync(ServiceBusReceivedMessage message, CancellationToken cancellationToken = default) => throw null!;

    public virtual Task AbandonMessageAsync(
        ServiceBusReceivedMessage message,
        IDictionary<string, object> propertiesToModify = null,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public virtual Task DeferMessageAsync(
        ServiceBusReceivedMessage message,
        IDictionary<string, object> propertiesToModify = null,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public virtual Task DeadLetterMessageAsync(
        ServiceBusReceivedMessage message,
        string deadLetterReason,
        string deadLetterErrorDescription = null,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public virtual Task<IReadOnlyList<ServiceBusReceivedMessage>> ReceiveDeferredMessagesAsync(
        IEnumerable<long> sequenceNumbers,
        CancellationToken cancellationToken = default
    ) => throw null!;

    public virtual Task RenewMessageLockAsync(ServiceBusReceivedMessage message, CancellationToken cancellationToken = default) => throw null!;

    public virtual ValueTask DisposeAsync() => throw null!;
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public class ServiceBusReceiverOptions
{
    public ServiceBusReceiverOptions() => throw null!;

    public int PrefetchCount
    {
        set => throw null!;
    }

    public ServiceBusReceiveMode ReceiveMode
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public enum ServiceBusRetryMode
{
    Exponential = 1,
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public class ServiceBusRetryOptions
{
    public ServiceBusRetryOptions() => throw null!;

    public ServiceBusRetryMode Mode
    {
        set => throw null!;
    }

    public int MaxRetries
    {
        set => throw null!;
    }

    public TimeSpan Delay
    {
        set => throw null!;
    }

    public TimeSpan MaxDelay
    {
        set => throw null!;
    }

    public TimeSpan TryTimeout
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Messaging.ServiceBus", "7.20.1")]
public class ServiceBusSender : IAsyncDisposable
{
    internal ServiceBusSender() => throw null!;

    public virtual Task SendMessageAsync(ServiceBusMessage message, CancellationToken cancellationToken = default) => throw null!;

    public virtual ValueTask<ServiceBusMessageBatch> CreateMessageBatchAsync(CancellationToken cancellationToken = default) => throw null!;

    public virtual Task SendMessagesAsync(ServiceBusMessageBatch messageBatch, CancellationToken cancellationToken = default) => throw null!;

    public virtual ValueTask DisposeAsync() => throw null!;
}
