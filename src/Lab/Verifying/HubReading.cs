using System.Globalization;
using System.Security.Cryptography;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>Reads the events of a partition.</summary>
internal sealed class HubReading(IMessagingClients clients, string hub, JournalWriter journal)
{
    /// <summary>Reads to the last event, and a little beyond if there are more in the meantime.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="after">The sequence number after which it is read.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <returns>How many events there were, and the last one.</returns>
    public async Task<(long Count, long Last)> RunAsync(PartitionProperties partition, long after, CancellationToken cancellationToken)
    {
        var (count, last) = (0L, after);
        await foreach (var batch in clients.ReadPartitionAsync(partition.PartitionId, after, partition.LastSequenceNumber, cancellationToken))
        {
            journal.Write([.. batch.Events.Select(GetRecord)]);
            (count, last) = (count + batch.Events.Count, batch.Events[^1].SequenceNumber);
        }

        return (count, last);
    }

    /// <summary>The stamp's run and index, as the emulator records them. Null when there is no stamp.</summary>
    public static IReadOnlyDictionary<string, string>? GetStamp(ReadOnlyMemory<byte> encodedProperties)
    {
        var properties = EncodedProperties.Decode(encodedProperties);
        return properties.GetValueOrDefault(EventStamp.RunProperty) is string run
            ? new Dictionary<string, string>(StringComparer.Ordinal)
            {
                [EventStamp.RunProperty] = run,
                [EventStamp.IndexProperty] = Convert.ToString(properties.GetValueOrDefault(EventStamp.IndexProperty), CultureInfo.InvariantCulture) ?? "",
            }
            : null;
    }

    /// <summary>SHA-256 of encoded properties. Null for none.</summary>
    public static string? ComputeHash(ReadOnlyMemory<byte> encodedProperties) =>
        encodedProperties.IsEmpty ? null : Convert.ToHexStringLower(SHA256.HashData(encodedProperties.Span));

    private JournalRecord GetRecord(ReceivedEvent one) =>
        new EventAppended(
            hub,
            one.PartitionId,
            one.SequenceNumber,
            one.Offset,
            EventStamp.Hash(one.Body.Span),
            one.Body.Length,
            one.ContentType,
            ComputeHash(one.EncodedProperties),
            GetStamp(one.EncodedProperties)
        );
}
