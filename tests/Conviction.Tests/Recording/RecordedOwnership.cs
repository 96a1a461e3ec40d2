using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Pump.Lifetime;

namespace EventHubThroughput.Conviction.Tests.Recording;

/// <summary>One incarnation: the partition from the position that was stored when it was taken.</summary>
internal sealed class RecordedOwnership : IOwnedPartition, IDisposable
{
    private readonly RecordedProcess process;
    private readonly RecordedServices services;
    private readonly bool fenced;
    private readonly string? reader;
    private readonly string group;
    private readonly CancellationTokenSource lost = new();

    private string link = string.Empty;
    private int restarts;

    // What this owner believes to be stored.
    private string? etag;

    public RecordedOwnership(RecordedProcess process, bool fenced, string? reader, string group)
    {
        this.process = process;
        this.fenced = fenced;
        this.reader = reader;
        this.group = group;
        services = process.Services;
        if (services.ClaimsForOwners)
        {
            services.Claim(process.Client);
        }

        StartedFrom = services.Stored;
        etag = StartedFrom?.ETag;
    }

    public string PartitionId => RecordedServices.Partition;

    public Checkpoint? StartedFrom { get; }

    public CancellationToken Lost => lost.Token;

    /// <summary>Whether another owner has been noticed.</summary>
    public bool IsLost => lost.IsCancellationRequested;

    /// <summary>The events after the position, handed over in batches.</summary>
    /// <param name="size">The batch size.</param>
    /// <param name="from">The first event that the reader requests. By default the one after the stored position.</param>
    /// <param name="prefetches">Whether all of them are pushed before the first batch, as a backlog below the prefetch is.</param>
    public IEnumerable<EventBatch> Batches(int size, long? from = null, bool prefetches = false)
    {
        var first = Math.Max(from ?? (StartedFrom?.Position.SequenceNumber ?? -1) + 1, services.FirstRetained);
        Attach(first);
        var events = services.Events.Skip((int)first).ToList();
        if (prefetches)
        {
            events.ForEach(Push);
        }

        foreach (var chunk in events.Chunk(size))
        {
            if (services.Restarts != restarts)
            {
                Attach(chunk[0].SequenceNumber);
            }

            if (!prefetches)
            {
                Array.ForEach(chunk, Push);
            }

            yield return new EventBatch(PartitionId, chunk);
        }
    }

    /// <summary>The service pushes an event to this owner's link.</summary>
    public void Push(ReceivedEvent received) => services.Write(new EventDelivered(RecordedServices.Hub, group, PartitionId, received.SequenceNumber, link, 0));

    /// <summary>Gives the partition up, unless another owner has it.</summary>
    public void GiveUp()
    {
        if (services.Owner == process.Client)
        {
            services.Claim(string.Empty);
        }
    }

    public ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

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

    private void Attach(long first)
    {
        (link, restarts) = (services.NewLink(), services.Restarts);
        var name = reader ?? (services.NamesReaders ? $"P-{process.Client}" : null);
        services.Write(new ReaderAttached(RecordedServices.Hub, group, PartitionId, first, link, 0, name));
    }
}
