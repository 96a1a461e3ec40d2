using System.Globalization;
using System.Runtime.CompilerServices;
using EventHubThroughput.Amqp;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.Journalling;

/// <summary>
/// Writes the actions of the messaging endpoints to the journal, with one write call for simultaneous records. Without a journal it costs nothing, because
/// callers check <see cref="IsOn"/> before they hash.
/// </summary>
internal sealed class EmulatorJournal(JournalWriter? writer, IReadOnlyList<string> propertyNames)
{
    private const int LargestRun = 1_024;

    private readonly ConditionalWeakTable<AmqpConnection, string> connectionNames = [];
    private long connections;

    public static EmulatorJournal Off { get; } = new(null, []);

    public bool IsOn => writer is not null;

    /// <summary>
    /// Whether the arrival of a message may be written with the next record. It may not if data survive the process, because the journal must then know of
    /// every stored message.
    /// </summary>
    public bool NotesArrivals { get; init; }

    public IReadOnlyList<ContentDigest?> Digest(IReadOnlyList<MessageParts> messages)
    {
        var digests = new ContentDigest?[messages.Count];
        for (var i = 0; IsOn && i < digests.Length; i++)
        {
            digests[i] = ContentDigest.Of(messages[i], propertyNames);
        }

        return digests;
    }

    public void Appended(string hub, string partition, IReadOnlyList<StoredEvent> events, IReadOnlyList<ContentDigest?> digests)
    {
        if (writer is null)
        {
            return;
        }

        var records = new JournalRecord[events.Count];
        for (var i = 0; i < records.Length; i++)
        {
            var digest = digests[i]!;
            records[i] = new EventAppended(
                hub,
                partition,
                events[i].Sequence,
                events[i].Offset,
                digest.Sha256,
                digest.Length,
                digest.ContentType,
                digest.PropertiesSha256,
                digest.Properties
            );
        }

        writer.Write(records);
    }

    /// <summary>Records events that are about to be deleted, from one number to before another. Returns false when that cannot be recorded.</summary>
    public bool TryExpire(string hub, string partition, long first, long next)
    {
        try
        {
            while (writer is not null && first < next)
            {
                var records = new JournalRecord[Math.Min(LargestRun, next - first)];
                for (var i = 0; i < records.Length; i++)
                {
                    records[i] = new EventExpired(hub, partition, first++);
                }

                writer.Write(records);
            }

            return true;
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            // The events stay until the journal accepts records again. The next append reports the failure.
            return false;
        }
    }

    public void Attached(string hub, string group, string partition, long position, string link, long? ownerLevel, string? receiverName) =>
        writer?.Write(new ReaderAttached(hub, group, partition, position, link, ownerLevel, receiverName));

    public void Delivered(string hub, string group, string partition, ReadOnlySpan<StoredEvent> events, string link, long? ownerLevel)
    {
        if (writer is null)
        {
            return;
        }

        var records = new List<JournalRecord>(1);
        for (var done = 0; done < events.Length; )
        {
            var count = CountConsecutive(events[done..]);
            records.Add(new EventDelivered(hub, group, partition, events[done].Sequence, link, ownerLevel) { Count = count });
            done += count;
        }

        writer.Write([.. records]);
    }

    /// <summary>Records that messages have arrived.</summary>
    /// <param name="entity">The queue or topic.</param>
    /// <param name="messageIds">Their message ids.</param>
    /// <param name="connection">The connection that sent them. Null if it is unknown.</param>
    public void Begun(string entity, IReadOnlyList<string> messageIds, AmqpConnection? connection)
    {
        if (NotesArrivals)
        {
            writer?.Note(Records(WriteMoment.Begun, entity, messageIds, [], receipt: null, connection));
        }
        else
        {
            writer?.Write(Records(WriteMoment.Begun, entity, messageIds, [], receipt: null, connection));
        }
    }

    /// <summary>Records that messages are about to be stored.</summary>
    public void Stored(string entity, IReadOnlyList<string> messageIds, IReadOnlyList<ContentDigest?> digests, Receipt? receipt, AmqpConnection? connection) =>
        writer?.Write(Records(WriteMoment.Stored, entity, messageIds, digests, receipt, connection));

    /// <summary>
    /// Records answers that were sent. If the journal refuses, they stay valid. An answer without a record counts as not given, which is the safe side.
    /// </summary>
    public void Answered(string entity, IReadOnlyList<string> messageIds, Receipt? receipt, AmqpConnection? connection) =>
        writer?.Note(Records(WriteMoment.Answered, entity, messageIds, [], receipt, connection));

    public void Delivered(string entity, string messageId, long sequence, string link) =>
        writer?.Write(new MessageDelivered(entity, messageId, sequence, link));

    public void Settled(string entity, (string MessageId, long Sequence) message, string outcome, string? link) =>
        writer?.Write(new MessageSettled(entity, message.MessageId, message.Sequence, outcome, link));

    /// <exception cref="IOException">The record could not be written.</exception>
    public void NotEvaluated(RulesNotEvaluated rules) => writer?.Write(rules);

    /// <summary>Records that the emulator was paused for a time until now.</summary>
    public void Stood(TimeSpan time) => writer?.Note([new EmulatorPaused((long)time.TotalMicroseconds)]);

    private string Name(AmqpConnection connection)
    {
        var name = Interlocked.Increment(ref connections).ToString(CultureInfo.InvariantCulture);
        _ = NoteCutAsync(connection, name);
        return name;
    }

    private async Task NoteCutAsync(AmqpConnection connection, string name)
    {
        await connection.Completion;
        if (connection.WasCut)
        {
            writer?.Note([new ConnectionCut(name)]);
        }
    }

    private JournalRecord[] Records(
        WriteMoment moment,
        string entity,
        IReadOnlyList<string> messageIds,
        IReadOnlyList<ContentDigest?> digests,
        Receipt? receipt,
        AmqpConnection? connection
    )
    {
        var name = connection is null ? null : connectionNames.GetValue(connection, Name);
        var records = new JournalRecord[messageIds.Count];
        for (var i = 0; i < records.Length; i++)
        {
            var isDuplicate = receipt?.IsDuplicate(i) ?? false;

            // The properties of the message are recorded only when it is stored.
            records[i] =
                moment == WriteMoment.Stored && digests[i] is { } digest
                    ? new MessageWritten(
                        moment,
                        entity,
                        messageIds[i],
                        digest.Sha256,
                        digest.Length,
                        digest.ContentType,
                        digest.PropertiesSha256,
                        digest.Properties,
                        isDuplicate
                    )
                    {
                        Arrival = isDuplicate ? null : receipt?.Arrivals[i],
                        Connection = name,
                    }
                    : new MessageWritten(moment, entity, messageIds[i], null, 0, null, null, null, isDuplicate) { Connection = name };
        }

        return records;
    }

    private static int CountConsecutive(ReadOnlySpan<StoredEvent> events)
    {
        var count = 1;
        while (count < events.Length && events[count].Sequence == events[0].Sequence + count)
        {
            count++;
        }

        return count;
    }
}
