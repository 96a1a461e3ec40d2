using System.Globalization;
using System.Security.Cryptography;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>Reads the events of the hub, all that it retains or those after given positions.</summary>
internal sealed class HubReading(IMessagingClients clients, string hub, JournalWriter journal)
{
    /// <summary>Returns how many events there were.</summary>
    /// <param name="partitions">The partitions.</param>
    /// <param name="after">The sequence number after which each partition is read.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public async Task<long> RunAsync(
        IEnumerable<PartitionProperties> partitions,
        Func<PartitionProperties, long> after,
        CancellationToken cancellationToken
    )
    {
        long count = 0;
        foreach (var partition in partitions.Where(partition => !partition.IsEmpty && partition.LastSequenceNumber > after(partition)))
        {
            await foreach (
                var batch in clients.ReadPartitionAsync(partition.PartitionId, after(partition), partition.LastSequenceNumber, cancellationToken)
            )
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
