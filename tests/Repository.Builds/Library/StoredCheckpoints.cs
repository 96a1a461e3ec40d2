using System.Globalization;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>The checkpoints that a journal records.</summary>
internal static class StoredCheckpoints
{
    /// <summary>The sequence number of the last checkpoint of each partition that has one.</summary>
    public static Dictionary<string, long> In(IEnumerable<JournalRecord> records) =>
        records
            .OfType<CheckpointWritten>()
            .Where(write => write.Moment == WriteMoment.Stored)
            .GroupBy(write => write.Partition)
            .ToDictionary(part => part.Key, part => long.Parse(part.Last().Sequence!, CultureInfo.InvariantCulture));
}
