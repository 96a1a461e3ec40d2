using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using EventHubThroughput.Clients.Azure.Failures;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>A partition while this process owns it. The package creates it. <see cref="Open"/> initialises it before its first event.</summary>
[SuppressMessage("Performance", "CA1812", Justification = "The package makes it, as the type argument of its processor.")]
internal sealed class OfficialPartition : EventProcessorPartition, IOwnedPartition
{
    private readonly CancellationTokenSource lost = new();
    private readonly TaskCompletionSource closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool closing;
    private volatile bool hasDelivered;
    private volatile bool hasFailed;
    private Task losing = Task.CompletedTask;
    private Func<CheckpointPosition, CancellationToken, Task> store = static (_, _) => throw new InvalidOperationException("The partition is not open.");

    private Func<OfficialPartition, CancellationToken, ValueTask> ensureOwned = static (_, _) => ValueTask.CompletedTask;

    /// <summary>Whether its closing has begun.</summary>
    public bool IsClosing => closing;

    /// <summary>Whether another processor has stored a checkpoint since this incarnation began.</summary>
    public bool IsOvertaken { get; private set; }

    /// <summary>Whether another processor has claimed the partition since this incarnation began, and it was claimed again.</summary>
    public bool IsReclaimed { get; private set; }

    /// <summary>
    /// Whether the end of this incarnation has a known cause: a failure of reading, a checkpoint of another processor, or a claim of another one. The package
    /// reports no failure when the link was taken.
    /// </summary>
    public bool HasKnownEnd => hasFailed || IsOvertaken || IsReclaimed;

    /// <summary>Completes, never faulted, when the handler is closed.</summary>
    public Task Closed => closed.Task;

    public Checkpoint? StartedFrom { get; private set; }

    public CancellationToken Lost => lost.Token;

    /// <summary>The newest event delivered, or the one before the first expected event. Null where it is not known.</summary>
    public long? Newest { get; private set; }

    /// <summary>The position of the reading, for messages: the package does not name the event that it has failed at.</summary>
    public string Place =>
        Newest is >= 0 and var newest
            ? string.Create(CultureInfo.InvariantCulture, $"partition {PartitionId} after sequence number {newest}")
            : $"partition {PartitionId}";

    /// <summary>The position of the reading with its source: the last event read, the checkpoint or the options.</summary>
    /// <param name="container">The container of the checkpoints.</param>
    /// <param name="start">The starting position of the options.</param>
    public string ReadingFrom(string container, StartingPosition start) =>
        hasDelivered ? ReadPosition.OfEvent(Newest!.Value)
        : StartedFrom is null ? ReadPosition.OfOptions(start)
        : ReadPosition.Of(StartedFrom, container, byOffset: StartedFrom.Position.SequenceNumber == Clients.EventHubs.EventPosition.UnknownSequenceNumber);

    /// <summary>Null until the partition is open.</summary>
    public IPartitionHandler? Handler { get; private set; }

    /// <param name="startedFrom">The checkpoint that reading starts from.</param>
    /// <param name="beforeFirst">
    /// The event that counts as delivered without a checkpoint: -1 where the first event is expected, null where it is not known.
    /// </param>
    /// <param name="storeCheckpoint">Stores a position for the consumer group.</param>
    /// <param name="ensure">Checks the ownership of the partition where it is uncertain.</param>
    /// <param name="open">Creates the handler.</param>
    public void Open(
        Checkpoint? startedFrom,
        long? beforeFirst,
        Func<CheckpointPosition, CancellationToken, Task> storeCheckpoint,
        Func<OfficialPartition, CancellationToken, ValueTask> ensure,
        Func<IOwnedPartition, IPartitionHandler> open
    )
    {
        StartedFrom = startedFrom;
        Newest =
            startedFrom is null ? beforeFirst
            : startedFrom.Position.SequenceNumber is >= 0 and var stored ? stored
            : null;
        store = storeCheckpoint;
        ensureOwned = ensure;
        Handler = open(this);
    }

    public void Delivered(EventBatch batch) => (Newest, hasDelivered) = (batch.Events[^1].SequenceNumber, true);

    public void BeginClosing() => closing = true;

    public void EndClosing() => closed.SetResult();

    /// <summary>Records that another processor has the partition.</summary>
    public void BeginLosing() => losing = lost.CancelAsync();

    /// <summary>The same, and waits until all callbacks of the token have run.</summary>
    public async Task LoseAsync()
    {
        await losing.ConfigureAwait(false);
        await lost.CancelAsync().ConfigureAwait(false);
    }

    /// <summary>Records that the package has reported a failure of reading.</summary>
    public void Fail() => hasFailed = true;

    /// <summary>Records that another processor had the partition in the meantime, and that it was claimed again.</summary>
    public Task ReclaimAsync()
    {
        IsReclaimed = true;
        return LoseAsync();
    }

    /// <summary>
    /// Records that another processor has stored a checkpoint in the meantime. This incarnation ends, and the processor starts the partition again.
    /// </summary>
    public Task OvertakeAsync()
    {
        IsOvertaken = true;
        return LoseAsync();
    }

    public ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) => ensureOwned(this, cancellationToken);

    public async Task CheckpointAsync(Clients.EventHubs.EventPosition position, CancellationToken cancellationToken)
    {
        try
        {
            // A late unconditional checkpoint would overwrite the next owner's with an older position.
            await EnsureOwnedAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (Lost.IsCancellationRequested)
        {
            // Reported below.
        }

        if (Lost.IsCancellationRequested)
        {
            throw new MessagingException(FailureKind.OwnershipLost, $"partition {PartitionId} has another owner");
        }

        try
        {
            await store(new CheckpointPosition(position.Offset, position.SequenceNumber), cancellationToken).ConfigureAwait(false);
        }
        catch (MessagingException taken) when (taken.Kind == FailureKind.OwnershipLost)
        {
            await OvertakeAsync().ConfigureAwait(false);
            throw;
        }
        catch (Exception exception) when (PackageFailures.IsFailure(exception, cancellationToken))
        {
            throw EventHubFailures.Of(exception, $"checkpoint of partition {PartitionId}");
        }
    }
}
