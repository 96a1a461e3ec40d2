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
    /// <summary>The events of the hub. Null reads all that are retained.</summary>
    public HubEvents? Events { get; init; }

    private readonly TemporaryFolder folder = WorkingFolder.Create("verify");

    /// <summary>The journal. Whole when <see cref="RunAsync"/> has ended.</summary>
    public string Journal => Path.Combine(folder.Path, "journal");

    /// <exception cref="MessagingException">Something is missing, refused or out of reach.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        var hub = await clients.GetEventHubPropertiesAsync(cancellationToken);
        var events = Events ?? new HubEvents(Journal, new Dictionary<string, EventPosition>(StringComparer.Ordinal));

        // Read first, although they are written last. The work that a checkpoint claims was done before, so every later reading must see it.
        var checkpoints = await ReadCheckpointsAsync(hub.PartitionIds, events, cancellationToken);
        var partitions = new List<PartitionProperties>();
        foreach (var id in hub.PartitionIds)
        {
            partitions.Add(await clients.GetPartitionPropertiesAsync(id, cancellationToken));
        }

        await events.ReadAsync(clients, settings.EventHubName, partitions, cancellationToken);
        var names = new RetainedNames(settings.EventHubName, partitions, events.GetBegin);
        if (events.Path != Journal)
        {
            File.Copy(events.Path, Journal);
        }

        using var journal = JournalWriter.Continue(Journal, TimeProvider.System);
        var messages = await new QueueReading(clients, settings, subscription, run, names, journal).RunAsync(cancellationToken);
        var blobs = await new ContainerReading(clients, names, journal).RunAsync(settings.ArchiveContainer, cancellationToken);
        var deadLetters = await ReadDeadLettersAsync(names, journal, cancellationToken);
        if (checkpoints.Length > 0)
        {
            journal.Write(checkpoints);
        }

        await progress.WriteLineAsync(
            $"read back: {Plural.Format(events.Count, "event")}, {Plural.Format(messages, "message")}, {Plural.Format(blobs, "blob")}, "
                + $"{Plural.Format(deadLetters, "dead letter")}, {Plural.Format(checkpoints.Length, "checkpoint")}"
        );
    }

    public void Dispose() => folder.Dispose();

    private async Task<JournalRecord[]> ReadCheckpointsAsync(IReadOnlyList<string> partitions, HubEvents events, CancellationToken cancellationToken)
    {
        var records = new List<JournalRecord>();
        foreach (var id in partitions)
        {
            // At the start the run has stored none.
            if (
                await clients.CheckpointStore.ReadCheckpointAsync(id, cancellationToken) is { } stored
                && stored.Position.SequenceNumber != events.FindStart(id)?.SequenceNumber
            )
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
