using System.Globalization;
using System.Security.Cryptography;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>Reads every event that the hub retains.</summary>
internal sealed class HubReading(IMessagingClients clients, string hub, JournalWriter journal)
{
    /// <summary>Returns how many events there were.</summary>
    public async Task<long> RunAsync(IEnumerable<PartitionProperties> partitions, CancellationToken cancellationToken)
    {
        long count = 0;
        foreach (var partition in partitions.Where(partition => !partition.IsEmpty))
        {
            await foreach (var batch in clients.ReadPartitionAsync(partition.PartitionId, partition.LastSequenceNumber, cancellationToken))
            {
                journal.Write([.. batch.Events.Select(GetRecord)]);
                count += batch.Events.Count;
            }
        }

        return count;
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
