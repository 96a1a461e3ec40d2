using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Consumer.Tests.Conviction.Recording;

/// <summary>One incarnation: the partition from the position that was stored when it was taken.</summary>
internal sealed class RecordedOwnership : IOwnedPartition, IDisposable
{
    private readonly RecordedProcess process;
    private readonly RecordedServices services;
    private readonly bool fenced;
    private readonly string link;
    private readonly CancellationTokenSource lost = new();

    // What this owner believes to be stored.
    private string? etag;

    public RecordedOwnership(RecordedProcess process, bool fenced)
    {
        this.process = process;
        this.fenced = fenced;
        services = process.Services;
        link = services.NewLink();
        StartedFrom = services.Stored;
        etag = StartedFrom?.ETag;
    }

    public string PartitionId => RecordedServices.Partition;

    public Checkpoint? StartedFrom { get; }

    public CancellationToken Lost => lost.Token;

    /// <summary>Whether another owner has been noticed.</summary>
    public bool IsLost => lost.IsCancellationRequested;

    /// <summary>The events after the position, handed over in batches.</summary>
    public IEnumerable<EventBatch> Batches(int size)
    {
        var first = (StartedFrom?.Position.SequenceNumber ?? -1) + 1;
        foreach (var chunk in services.Events.Skip((int)first).Chunk(size))
        {
            foreach (var received in chunk)
            {
                services.Write(new EventDelivered(RecordedServices.Hub, RecordedServices.Group, PartitionId, received.SequenceNumber, link, 0));
            }

            yield return new EventBatch(PartitionId, chunk);
        }
    }

    public async Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken)
    {
        if (IsLost)
        {
            throw new MessagingException(FailureKind.OwnershipLost, "the partition has another owner");
        }

        var effect = await process.ArriveAsync(Place.Checkpoints, position.SequenceNumber, cancellationToken);

        if (services.Stored is { } stored && stored.ETag != etag)
        {
            // A version that this process wrote without learning of it is its own, as a real store finds out by reading back.
            if (stored.ClientId == process.Client && stored.Position == position)
            {
                etag = stored.ETag;
                return;
            }

            if (fenced && stored.ClientId != process.Client)
            {
                await LoseAsync();
                throw new MessagingException(FailureKind.OwnershipLost, "another owner has stored a checkpoint");
            }
        }

        var record = services.Store(position, process.Client);
        await process.AnswerAsync(effect, cancellationToken);
        etag = record.ETag;
        services.Write(record with { Moment = WriteMoment.Answered });
    }

    /// <summary>Another owner has taken the partition, and this one learns of it.</summary>
    public Task LoseAsync() => lost.CancelOnSchedulerAsync();

    public void Dispose() => lost.Dispose();
}
