using System.Collections.Concurrent;
using System.Runtime.Serialization;
using Azure.Core;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Consumer;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using SdkPartition = Azure.Messaging.EventHubs.PartitionProperties;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>
/// The package's processor, which passes batches and ends of partitions to our handlers. No exception of a handler may leave it: the package would ignore it,
/// or read the partition again. <see cref="Failed"/> receives it instead.
/// </summary>
internal sealed class HandlingProcessor : PluggableCheckpointStoreEventProcessor<OfficialPartition>
{
    // The time for the package to remove a partition after its handler was closed.
    private static readonly TimeSpan Forgetting = TimeSpan.FromSeconds(1);

    private readonly ConcurrentDictionary<string, OfficialPartition> owned = new(StringComparer.Ordinal);

    // By partition: when its last incarnation was closed.
    private readonly ConcurrentDictionary<string, long> closed = new(StringComparer.Ordinal);

    // The partitions that were lost since their last claim.
    private readonly ConcurrentDictionary<string, bool> taken = new(StringComparer.Ordinal);
    private readonly LinkContentionDetector fights;
    private readonly TaskCompletionSource<Exception> failed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ProcessorParts parts;
    private readonly Outage outage;
    private readonly ClaimedPartitions claimed;
    private readonly string entity;
    private volatile bool stopping;

    /// <summary>Creates it for a namespace with a key.</summary>
    public HandlingProcessor(ProcessorParts parts, string connectionString)
        : base(parts.Store, parts.Options.BatchSize, parts.Address.ConsumerGroup, connectionString, parts.Address.EventHubName, parts.SdkOptions) =>
        (this.parts, outage, claimed, fights, entity) = GetState(parts);

    /// <summary>Creates it for a namespace with Entra ID.</summary>
    public HandlingProcessor(ProcessorParts parts, TokenCredential credential)
        : base(
            parts.Store,
            parts.Options.BatchSize,
            parts.Address.ConsumerGroup,
            parts.Address.FullyQualifiedNamespace,
            parts.Address.EventHubName,
            credential,
            parts.SdkOptions
        ) => (this.parts, outage, claimed, fights, entity) = GetState(parts);

    public IReadOnlyCollection<string> OwnedPartitions =>
        [.. owned.Values.Where(static one => !one.Lost.IsCancellationRequested).Select(static one => one.PartitionId)];

    /// <summary>Completes with the first failure that ends the processor.</summary>
    public Task<Exception> Failed => failed.Task;

    /// <summary>From now on partitions end because the processor stops.</summary>
    public void BeginStopping() => stopping = true;

    protected override async Task OnInitializingPartitionAsync(OfficialPartition partition, CancellationToken cancellationToken)
    {
        // The package starts a partition again while its last incarnation is being closed. It then ends the new one together with the old one, without a
        // report. If it is refused here, it tries again in its next cycle.
        if (IsBeingClosed(partition.PartitionId))
        {
            throw new TaskCanceledException($"partition {partition.PartitionId} is still being closed");
        }

        // Its link would take that of the owner.
        if (await claimed.HasOtherOwnerAsync(partition.PartitionId, cancellationToken).ConfigureAwait(false))
        {
            throw new TaskCanceledException($"partition {partition.PartitionId} has another owner");
        }

        var checkpoint = await parts.ReadCheckpoint(partition.PartitionId, cancellationToken).ConfigureAwait(false);
        if (checkpoint is not null && ReadPosition.UnusedOffset(checkpoint, parts.Container) is { } unused)
        {
            parts.Notice?.Invoke(unused);
        }

        partition.Open(
            checkpoint,
            parts.Options.StartingPosition == StartingPosition.Earliest ? -1 : null,
            (position, token) => UpdateCheckpointAsync(partition.PartitionId, position, token),
            claimed.EnsureOwnedAsync,
            parts.Open
        );
        owned[partition.PartitionId] = partition;
        Log.Claimed(parts.Log, partition.PartitionId, Identifier);
    }

    // The package gives its ownerships up without waiting for stopped partitions: their next owner would read during the last writes.
    protected override async Task<IEnumerable<EventProcessorPartitionOwnership>> ClaimOwnershipAsync(
        IEnumerable<EventProcessorPartitionOwnership> desiredOwnership,
        CancellationToken cancellationToken
    )
    {
        List<EventProcessorPartitionOwnership> desired = [.. desiredOwnership];
        var closings =
            from ownership in desired
            where string.IsNullOrEmpty(ownership.OwnerIdentifier)
            select owned.GetValueOrDefault(ownership.PartitionId)?.Closed ?? Task.CompletedTask;
        await Task.WhenAll(closings).ConfigureAwait(false);
        using var claims = new ClaimShutdownTimeout(parts.Options.TimeProvider, cancellationToken);
        var lease = claimed.BeginClaim();
        List<EventProcessorPartitionOwnership> granted = [.. await base.ClaimOwnershipAsync(desired, claims.Token).ConfigureAwait(false)];
        await EndInterruptedAsync(desired, granted).ConfigureAwait(false);
        NoteFights(desired, granted);
        claimed.Note(granted, lease);
        return granted;
    }

    // A partition that was lost although the store still had our claim was taken by a processor with another store.
    private void NoteFights(List<EventProcessorPartitionOwnership> desired, List<EventProcessorPartitionOwnership> granted)
    {
        foreach (var ownership in desired.Where(one => taken.TryRemove(one.PartitionId, out _)))
        {
            if (
                granted.Exists(one => one.PartitionId == ownership.PartitionId)
                && claimed.IsNewest(ownership)
                && fights.Note(ownership.PartitionId) is { } fight
            )
            {
                failed.TrySetResult(fight);
            }
        }
    }

    // After a pause a process may lose a partition and claim it again in one cycle. The package continues to read it, although another processor had it in
    // the meantime. So this incarnation ends, and the partition starts again from the stored checkpoint.
    private async Task EndInterruptedAsync(List<EventProcessorPartitionOwnership> desired, List<EventProcessorPartitionOwnership> granted)
    {
        var again =
            from ownership in desired
            where granted.Exists(one => one.PartitionId == ownership.PartitionId) && !claimed.IsNewest(ownership)
            let partition = owned.GetValueOrDefault(ownership.PartitionId)
            where partition is not null
            select partition.ReclaimAsync();
        await Task.WhenAll(again).ConfigureAwait(false);
    }

    protected override async Task<IEnumerable<EventProcessorPartitionOwnership>> ListOwnershipAsync(CancellationToken cancellationToken)
    {
        var stored = await base.ListOwnershipAsync(cancellationToken).ConfigureAwait(false);
        List<EventProcessorPartitionOwnership> listed = [.. stored.Where(static one => CheckpointBlobName.IsPartition(one.PartitionId))];
        claimed.SeparateEqualNames(listed);
        return listed;
    }

    // Called after the partition was opened.
    protected override async Task<EventProcessorCheckpoint?> GetCheckpointAsync(string partitionId, CancellationToken cancellationToken)
    {
        if (owned.GetValueOrDefault(partitionId)?.StartedFrom is { } stored)
        {
            return parts.Group.ToSdk(stored);
        }

        // "Latest" becomes a number immediately: a link that is lost before its first event must not skip later events.
        return parts.Options.StartingPosition == StartingPosition.Latest
            ? parts.Group.StartingAfter(partitionId, await LastOfAsync(partitionId, cancellationToken).ConfigureAwait(false))
            : null;
    }

    protected override async Task OnProcessingEventBatchAsync(IEnumerable<EventData> events, OfficialPartition partition, CancellationToken cancellationToken)
    {
        if (partition.Lost.IsCancellationRequested)
        {
            // The package does not notice this, and may have claimed the partition again. After an exception it closes the partition and starts it again from
            // the stored checkpoint.
            var overtaken = new MessagingException(FailureKind.OwnershipLost, $"partition {partition.PartitionId} starts again from the stored checkpoint");
            if (partition.IsReclaimed)
            {
                Log.ClaimedAgain(parts.Log, partition.PartitionId);
            }
            else if (partition.IsOvertaken)
            {
                Log.CheckpointRefused(parts.Log, partition.PartitionId, overtaken);
            }

            throw overtaken;
        }

        if (failed.Task.IsCompleted || GetBatch(partition, events) is not { } batch)
        {
            return;
        }

        outage.Over();
        if (
            !parts.Options.AcceptGaps
            && await MissingEvents
                .FindAsync(batch, partition.Newest, token => PropertiesOfAsync(partition.PartitionId, token), cancellationToken)
                .ConfigureAwait(false)
                is { } lost
        )
        {
            failed.TrySetResult(lost);
            return;
        }

        partition.Delivered(batch);

        // The package cancels when the partition stops, for any reason. A batch that was begun is cut only when the partition is lost.
        var stopped = cancellationToken.Register(() =>
        {
            if (!stopping)
            {
                partition.BeginLosing();
            }
        });
        await using (stopped.ConfigureAwait(false))
        {
            await HandleAsync(partition, batch).ConfigureAwait(false);
        }
    }

    protected override async Task OnPartitionProcessingStoppedAsync(
        OfficialPartition partition,
        ProcessingStoppedReason reason,
        CancellationToken cancellationToken
    )
    {
        if (partition.Handler is null)
        {
            return;
        }

        partition.BeginClosing();
        if (reason == ProcessingStoppedReason.OwnershipLost && !partition.HasKnownEnd)
        {
            // The store has another owner, or the link was taken. The next claim shows which.
            taken[partition.PartitionId] = true;
        }

        var lost = reason == ProcessingStoppedReason.OwnershipLost || partition.Lost.IsCancellationRequested;
        if (lost)
        {
            Log.OwnershipLost(parts.Log, partition.PartitionId);
            await partition.LoseAsync().ConfigureAwait(false);
        }

        try
        {
            await partition
                .Handler.CloseAsync(lost ? PartitionStopReason.OwnershipLost : PartitionStopReason.Shutdown, lost ? CancellationToken.None : partition.Lost)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (partition.Lost.IsCancellationRequested)
        {
            // Lost while it closes: nothing more may be stored.
        }
        catch (Exception failure)
        {
            failed.TrySetResult(failure);
        }
        finally
        {
            closed[partition.PartitionId] = parts.Options.TimeProvider.GetTimestamp();
            owned.TryRemove(new KeyValuePair<string, OfficialPartition>(partition.PartitionId, partition));
            partition.EndClosing();
            Log.ReadingEnded(parts.Log, partition.PartitionId, reason.ToString());
        }
    }

    protected override Task OnProcessingErrorAsync(
        Exception exception,
        OfficialPartition partition,
        string operationDescription,
        CancellationToken cancellationToken
    )
    {
        if (!stopping && exception is not OperationCanceledException)
        {
            // Failures that the package calls permanent end with the next connection, with these exceptions: failures that we call permanent, an event that
            // the package cannot convert, and a position that the hub refuses. The package would try each again with the same result.
            var isUnreadable = partition is not null && exception is SerializationException or ArgumentException { ParamName: not null };
            var failure = EventHubFailures.Of(exception, isUnreadable ? $"{entity} {partition!.Place}" : entity);
            var isRefusedPosition = exception is ArgumentException { ParamName: null } && partition is not null;
            if (isRefusedPosition)
            {
                var place = partition!.ReadingFrom(parts.Container, parts.Options.StartingPosition);
                failure = ReadPosition.Refused(failure, entity, partition.PartitionId, place);
            }

            LogFailure(failure, partition, operationDescription);
            if (failure.Kind != FailureKind.OwnershipLost)
            {
                partition?.Fail();
            }

            if (
                isRefusedPosition
                || failure.Kind is FailureKind.NotFound or FailureKind.Unauthorized
                || isUnreadable
                || exception is SerializationException or MessagingException { Kind: FailureKind.Permanent }
            )
            {
                failed.TrySetResult(failure);
            }
            else if (failure.Kind != FailureKind.OwnershipLost && outage.Failed(parts.Options.TimeProvider.GetTimestamp(), exception) <= TimeSpan.Zero)
            {
                var limit = parts.Options.UnreachableLimit.TotalSeconds;
                failed.TrySetResult(new MessagingException(FailureKind.Unreachable, $"{failure.Message}, unreachable for {limit:0.###} s", failure));
            }
        }

        return Task.CompletedTask;
    }

    private void LogFailure(MessagingException failure, OfficialPartition? partition, string operation)
    {
        if (partition is not null && failure.Kind == FailureKind.OwnershipLost)
        {
            Log.LinkTaken(parts.Log, partition.PartitionId, failure);
        }
        else
        {
            Log.PackageTriesAgain(parts.Log, partition is null ? $"'{Identifier}'" : $"partition {partition.PartitionId}", operation, failure);
        }
    }

    private bool IsBeingClosed(string partitionId) =>
        owned.GetValueOrDefault(partitionId) is { IsClosing: true }
        || (closed.TryGetValue(partitionId, out var at) && parts.Options.TimeProvider.GetElapsedTime(at) < Forgetting);

    // The package reports only failures. They may be as far apart as its balancing cycles, so an outage does not end during such a pause.
    private static Outage GetOutage(EventHubProcessorOptions options) =>
        new(
            new RetryOptions { UnreachableLimit = options.UnreachableLimit, MaximumDelay = options.UnreachableLimit / 2 },
            options.TimeProvider,
            "",
            notice: null
        );

    private static (ProcessorParts, Outage, ClaimedPartitions, LinkContentionDetector, string) GetState(ProcessorParts parts) =>
        (
            parts,
            GetOutage(parts.Options),
            new ClaimedPartitions(parts.Options, parts.Ownerships, parts.Notice),
            new LinkContentionDetector(parts.Options.TimeProvider),
            $"event hub '{parts.Address.EventHubName}'"
        );

    // An event that cannot be read must end the reading. Otherwise it would be missing unnoticed.
    private EventBatch? GetBatch(OfficialPartition partition, IEnumerable<EventData> events)
    {
        try
        {
            return EventConversion.ToBatch(partition.PartitionId, events);
        }
        catch (MessagingException unreadable)
        {
            failed.TrySetResult(unreadable);
            return null;
        }
    }

    private async Task HandleAsync(OfficialPartition partition, EventBatch batch)
    {
        try
        {
            await partition.Handler!.ProcessAsync(batch, partition.Lost).ConfigureAwait(false);
        }
        catch (Exception exception)
            when (partition.Lost.IsCancellationRequested && exception is OperationCanceledException or MessagingException { Kind: FailureKind.OwnershipLost })
        {
            // The package is about to close the partition.
        }
        catch (Exception failure)
        {
            failed.TrySetResult(failure);
        }
    }

    private async Task<long> LastOfAsync(string partitionId, CancellationToken cancellationToken) =>
        (await PropertiesOfAsync(partitionId, cancellationToken).ConfigureAwait(false)).LastEnqueuedSequenceNumber;

    private async Task<SdkPartition> PropertiesOfAsync(string partitionId, CancellationToken cancellationToken)
    {
        var connection = CreateConnection();
        await using (connection.ConfigureAwait(false))
        {
            var reader = new EventHubConsumerClient(ConsumerGroup, connection);
            await using (reader.ConfigureAwait(false))
            {
                return await reader.GetPartitionPropertiesAsync(partitionId, cancellationToken).ConfigureAwait(false);
            }
        }
    }
}
