using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Lab.Embedded;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>
/// Reads back what a namespace holds and writes it down as a journal: what was appended, then what is at the sinks, then the
/// checkpoints. Nothing is changed: messages are peeked, not received.
/// </summary>
internal sealed class NamespaceReading(IMessagingClients clients, MessagingSettings settings, string? subscription, string? run, TextWriter progress)
    : IDisposable
{
    /// <summary>The last event of each partition before the run. What is not after it is not read. Empty reads all that is retained.</summary>
    public IReadOnlyDictionary<string, EventPosition> Starts { get; init; } = new Dictionary<string, EventPosition>(StringComparer.Ordinal);

    private readonly TemporaryFolder folder = WorkingFolder.Create("verify");

    /// <summary>The journal. Whole when <see cref="RunAsync"/> has ended.</summary>
    public string Journal => Path.Combine(folder.Path, "journal");

    /// <exception cref="MessagingException">Something is missing, refused or out of reach.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        var hub = await clients.GetEventHubPropertiesAsync(cancellationToken);

        // Read first, although they are written last. The work that a checkpoint claims was done before, so every later reading must see it.
        var checkpoints = await ReadCheckpointsAsync(hub.PartitionIds, cancellationToken);
        var partitions = new List<PartitionProperties>();
        foreach (var id in hub.PartitionIds)
        {
            partitions.Add(await clients.GetPartitionPropertiesAsync(id, cancellationToken));
        }

        var names = new RetainedNames(settings.EventHubName, partitions, GetStart);
        using var journal = JournalWriter.Open(Journal);
        journal.Write([
            .. partitions.Select(partition =>
                (JournalRecord)new PartitionReadBack(settings.EventHubName, partition.PartitionId, RetainedNames.GetBegin(partition, GetStart))
            ),
        ]);
        var events = await new HubReading(clients, settings.EventHubName, journal).RunAsync(partitions, GetStart, cancellationToken);
        var messages = await new QueueReading(clients, settings, subscription, run, names, journal).RunAsync(cancellationToken);
        var blobs = await new ContainerReading(clients, names, journal).RunAsync(settings.ArchiveContainer, cancellationToken);
        var deadLetters = await ReadDeadLettersAsync(names, journal, cancellationToken);
        if (checkpoints.Length > 0)
        {
            journal.Write(checkpoints);
        }

        await progress.WriteLineAsync(
            $"read back: {Plural.Format(events, "event")}, {Plural.Format(messages, "message")}, {Plural.Format(blobs, "blob")}, "
                + $"{Plural.Format(deadLetters, "dead letter")}, {Plural.Format(checkpoints.Length, "checkpoint")}"
        );
    }

    public void Dispose() => folder.Dispose();

    private long GetStart(PartitionProperties partition) => Starts.TryGetValue(partition.PartitionId, out var start) ? start.SequenceNumber : -1;

    // The run has stored no checkpoint there.
    private bool IsStart(Checkpoint stored) => Starts.TryGetValue(stored.PartitionId, out var start) && start == stored.Position;

    private async Task<JournalRecord[]> ReadCheckpointsAsync(IReadOnlyList<string> partitions, CancellationToken cancellationToken)
    {
        var records = new List<JournalRecord>();
        foreach (var id in partitions)
        {
            if (await clients.CheckpointStore.ReadCheckpointAsync(id, cancellationToken) is { } stored && !IsStart(stored))
            {
                var sequence = stored.Position.SequenceNumber < 0 ? null : $"{stored.Position.SequenceNumber}";
                records.Add(
                    new CheckpointWritten(
                        WriteMoment.Stored,
                        settings.CheckpointContainer,
                        settings.EventHubName,
                        settings.ConsumerGroup,
                        id,
                        stored.Position.Offset,
                        sequence,
                        stored.ClientId,
                        null,
                        stored.ETag
                    )
                );
            }
        }

        return [.. records];
    }

    // A namespace that never had a dead letter need not have the container.
    private async Task<long> ReadDeadLettersAsync(RetainedNames names, JournalWriter journal, CancellationToken cancellationToken) =>
        await clients.GetBlobContainer(settings.DeadLetterContainer).ExistsAsync(cancellationToken)
            ? await new ContainerReading(clients, names, journal).RunAsync(settings.DeadLetterContainer, cancellationToken)
            : 0;
}
