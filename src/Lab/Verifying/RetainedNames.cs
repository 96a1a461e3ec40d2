using System.Globalization;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>Where the position in a sink's name is in the hub.</summary>
internal enum NameStanding
{
    /// <summary>No position of the hub.</summary>
    Foreign,

    /// <summary>Retention has removed the event, so that its copies cannot be judged.</summary>
    Trimmed,

    /// <summary>The event is there, or should be.</summary>
    Retained,
}

/// <summary>Distinguishes copies of events that the hub still holds from those of events that cannot be read any more.</summary>
/// <param name="hub">The event hub.</param>
/// <param name="partitions">Its partitions.</param>
/// <param name="getBegin">The first sequence number of the run that a partition holds.</param>
internal sealed class RetainedNames(string hub, IEnumerable<PartitionProperties> partitions, Func<PartitionProperties, long> getBegin)
{
    private readonly string hubName = SinkNames.Escape(hub);
    private readonly Dictionary<string, long> begins = partitions.ToDictionary(
        partition => SinkNames.Escape(partition.PartitionId),
        getBegin,
        StringComparer.Ordinal
    );

    /// <summary>What the names of all blobs of the hub begin with.</summary>
    public string BlobPrefix => hubName + "/";

    public NameStanding OfMessage(string messageId) => Of(messageId, '-');

    public NameStanding OfBlob(string name) => Of(name, '/');

    private NameStanding Of(string name, char separator)
    {
        var digits = name.LastIndexOf(separator) + 1;
        if (
            digits <= hubName.Length + 1
            || !name.StartsWith(hubName, StringComparison.Ordinal)
            || name[hubName.Length] != separator
            || !long.TryParse(name.AsSpan(digits), NumberStyles.None, CultureInfo.InvariantCulture, out var sequence)
        )
        {
            return NameStanding.Foreign;
        }

        // Hub 'a' has no partition 'b-0', but there may be a hub 'a-b'.
        return !begins.TryGetValue(name[(hubName.Length + 1)..(digits - 1)], out var begin) ? NameStanding.Foreign
            : sequence < begin ? NameStanding.Trimmed
            : NameStanding.Retained;
    }
}
