using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Collects events by partition. It chooses the partition of a key by the service's hash, and assigns events without a key in turn. A batch is sent when it
/// is full, when its oldest event has waited for the delay, when events wait for room, or on request. One timer serves all partitions.
/// </summary>
internal sealed class BuiltInBufferedEventWriter : IBufferedEventWriter
{
    private readonly BuiltInEventHubWriter writer;
    private readonly Func<CancellationToken, Task<EventHubProperties>> readHub;
    private readonly BufferedEventWriterOptions options;
    private readonly ILogger log;
    private readonly ITimer timer;
    private readonly SemaphoreSlim opening = new(1, 1);
    private readonly CancellationTokenSource ended = new();

    // By the partition's index in the hub's list, from the first event on. Written while `opening` is held.
    private volatile PartitionBuffer[]? buffers;
    private uint turn;
    private int isTimerSet;

    /// <param name="writer">Sends the batches. This writer closes its links.</param>
    /// <param name="readHub">Reads the hub's partitions, once.</param>
    /// <param name="options">Delay, limit and scheduler.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="log">Logs what a callback has thrown.</param>
    public BuiltInBufferedEventWriter(
        BuiltInEventHubWriter writer,
        Func<CancellationToken, Task<EventHubProperties>> readHub,
        BufferedEventWriterOptions options,
        TimeProvider timeProvider,
        ILogger log
    )
    {
        this.writer = writer;
        this.readHub = readHub;
        this.options = options;
        this.log = log;
        timer = timeProvider.CreateTimer(
            static state => ((BuiltInBufferedEventWriter)state!).CloseAll(),
            this,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan
        );
    }

    public Task AddAsync(OutgoingEvent outgoingEvent, string? partitionKey, Action<MessagingException?> settled, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(outgoingEvent);
        ArgumentNullException.ThrowIfNull(settled);
        if (cancellationToken.IsCancellationRequested)
        {
            return Task.FromCanceled(cancellationToken);
        }

        try
        {
            writer.ThrowIfTooLong(partitionKey);
            return buffers is { } open
                ? GetBuffer(open, partitionKey).AddAsync(outgoingEvent, partitionKey, settled, cancellationToken)
                : OpenAndAddAsync(outgoingEvent, partitionKey, settled, cancellationToken);
        }
        catch (Exception exception)
        {
            return Task.FromException(exception);
        }
    }

    public async Task FlushAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(ended.IsCancellationRequested, this);
        await Task.WhenAll((buffers ?? []).Select(static buffer => buffer.Close())).WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        await ended.CancelAsync().ConfigureAwait(false);
        await timer.DisposeAsync().ConfigureAwait(false);

        // A concurrent caller that opens the buffers stops doing so.
        await opening.WaitAsync().ConfigureAwait(false);
        opening.Release();
        foreach (var buffer in buffers ?? [])
        {
            await buffer.DisposeAsync().ConfigureAwait(false);
        }

        await writer.DisposeAsync().ConfigureAwait(false);
    }

    private async Task OpenAndAddAsync(
        OutgoingEvent outgoingEvent,
        string? partitionKey,
        Action<MessagingException?> settled,
        CancellationToken cancellationToken
    )
    {
        var open = await OpenAsync(cancellationToken).ConfigureAwait(false);
        await GetBuffer(open, partitionKey).AddAsync(outgoingEvent, partitionKey, settled, cancellationToken).ConfigureAwait(false);
    }

    private async Task<PartitionBuffer[]> OpenAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(ended.IsCancellationRequested, this);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ended.Token, cancellationToken);
        await opening.WaitAsync(either.Token).ConfigureAwait(false);
        try
        {
            return buffers ??= await CreateAsync(either.Token).ConfigureAwait(false);
        }
        finally
        {
            opening.Release();
        }
    }

    private async Task<PartitionBuffer[]> CreateAsync(CancellationToken cancellationToken)
    {
        var partitions = (await readHub(cancellationToken).ConfigureAwait(false)).PartitionIds;
        if (partitions.Count == 0)
        {
            throw new MessagingException(FailureKind.Permanent, "the event hub reports that it has no partition");
        }

        var limit = await writer.BatchLimitAsync(partitions[0], cancellationToken).ConfigureAwait(false);
        return [.. partitions.Select(partition => new PartitionBuffer(GetContext(partition, limit)))];
    }

    private PartitionBufferContext GetContext(string partitionId, long limit) =>
        new()
        {
            PartitionId = partitionId,
            Limit = limit,
            Options = options,
            Send = writer.SendAsync,
            Begun = SetTimer,
            OutcomeRefused = exception => Log.OutcomeRefused(log, partitionId, exception),
        };

    private PartitionBuffer GetBuffer(PartitionBuffer[] open, string? partitionKey) =>
        open[partitionKey is null ? (int)(Interlocked.Increment(ref turn) % (uint)open.Length) : PartitionKeyHash.PartitionOf(partitionKey, open.Length)];

    // A timer that is already set fires early enough for every batch that was begun since.
    private void SetTimer()
    {
        if (Interlocked.Exchange(ref isTimerSet, 1) == 0)
        {
            timer.Change(options.MaxDelay, Timeout.InfiniteTimeSpan);
        }
    }

    private void CloseAll()
    {
        // First, so that a batch that begins in the meantime sets it again.
        Volatile.Write(ref isTimerSet, 0);
        foreach (var buffer in buffers ?? [])
        {
            _ = buffer.Close();
        }
    }
}
