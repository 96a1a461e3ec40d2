// Without annotations, as in the package.
#nullable disable

namespace Azure.Messaging.EventHubs.Producer;

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class CreateBatchOptions : SendEventOptions
{
    public CreateBatchOptions() => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EnqueueEventOptions : SendEventOptions
{
    public EnqueueEventOptions() => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubBufferedProducerClient : IAsyncDisposable
{
    public EventHubBufferedProducerClient(EventHubConnection connection, EventHubBufferedProducerClientOptions clientOptions = null) => throw null!;

    public event Func<SendEventBatchSucceededEventArgs, Task> SendEventBatchSucceededAsync
    {
        add => throw null!;
        remove => throw null!;
    }

    public event Func<SendEventBatchFailedEventArgs, Task> SendEventBatchFailedAsync
    {
        add => throw null!;
        remove => throw null!;
    }

    public virtual Task<int> EnqueueEventAsync(EventData eventData, EnqueueEventOptions options, CancellationToken cancellationToken = default) => throw null!;

    public virtual Task FlushAsync(CancellationToken cancellationToken = default) => throw null!;

    public virtual Task CloseAsync(bool flush = true, CancellationToken cancellationToken = default) => throw null!;

    ValueTask IAsyncDisposable.DisposeAsync() => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubBufferedProducerClientOptions
{
    public EventHubBufferedProducerClientOptions() => throw null!;

    public TimeSpan? MaximumWaitTime
    {
        set => throw null!;
    }

    public int MaximumEventBufferLengthPerPartition
    {
        set => throw null!;
    }

    public int MaximumConcurrentSendsPerPartition
    {
        set => throw null!;
    }

    public EventHubsRetryOptions RetryOptions
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public sealed class EventDataBatch : IDisposable
{
    internal EventDataBatch() => throw null!;

    public bool TryAdd(EventData eventData) => throw null!;

    public long SizeInBytes
    {
        get => throw null!;
    }

    public int Count
    {
        get => throw null!;
    }

    void IDisposable.Dispose() => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubProducerClient : IAsyncDisposable
{
    public EventHubProducerClient(EventHubConnection connection, EventHubProducerClientOptions clientOptions = null) => throw null!;

    public virtual Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken = default) => throw null!;

    public virtual Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken = default) => throw null!;

    public virtual Task SendAsync(EventDataBatch eventBatch, CancellationToken cancellationToken = default) => throw null!;

    public virtual ValueTask<EventDataBatch> CreateBatchAsync(CreateBatchOptions options, CancellationToken cancellationToken = default) => throw null!;

    public virtual ValueTask DisposeAsync() => throw null!;
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class EventHubProducerClientOptions
{
    public EventHubProducerClientOptions() => throw null!;

    public EventHubsRetryOptions RetryOptions
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class SendEventBatchFailedEventArgs : EventArgs
{
    internal SendEventBatchFailedEventArgs() => throw null!;

    public IReadOnlyList<EventData> EventBatch
    {
        get => throw null!;
    }

    public Exception Exception
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class SendEventBatchSucceededEventArgs : EventArgs
{
    internal SendEventBatchSucceededEventArgs() => throw null!;

    public IReadOnlyList<EventData> EventBatch
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Messaging.EventHubs", "5.11.3")]
public class SendEventOptions
{
    internal SendEventOptions() => throw null!;

    public string PartitionKey
    {
        set => throw null!;
    }

    public string PartitionId
    {
        set => throw null!;
    }
}
