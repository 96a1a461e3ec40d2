using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator;

/// <summary>
/// Records messages that are in the log of an entity and missing in the journal. The log is written first, and a kill may come between the two. They are
/// recorded before any client can receive them.
/// </summary>
internal static class UnjournaledRecords
{
    private const int RunLength = 64;

    /// <exception cref="EmulatorException">The journal cannot be written.</exception>
    public static void Record(EmulatorJournal journal, LastStored recorded, IEnumerable<EventHub> hubs, ArrivalNumbers arrivals)
    {
        if (!journal.IsOn)
        {
            return;
        }

        try
        {
            foreach (var hub in hubs)
            {
                foreach (var partition in hub.Partitions)
                {
                    Record(journal, hub.Name, partition, (recorded.GetEvent(hub.Name, partition.Id) ?? -1) + 1);
                }
            }

            foreach (var (entity, content) in arrivals.TakeUnacknowledged())
            {
                Record(journal, entity, content);
            }
        }
        catch (IOException exception)
        {
            throw new EmulatorException(EmulatorErrorKind.NotWritable, exception.Message, exception);
        }
    }

    private static void Record(EmulatorJournal journal, string hub, PartitionLog partition, long from)
    {
        var run = new StoredEvent[RunLength];
        while (partition.Read(from, run) is > 0 and var count)
        {
            var events = run[..count];
            journal.Appended(hub, partition.Id, events, journal.Digest([.. events.Select(static stored => MessageParts.Parse(stored.Encoded))]));
            from = events[^1].Sequence + 1;
        }
    }

    private static void Record(EmulatorJournal journal, string entity, MessageContent content) =>
        journal.Stored(
            entity,
            [content.MessageId],
            journal.Digest([MessageParts.Parse(content.Encode())]),
            new Receipt([], [content.Arrival]),
            connection: null
        );
}
