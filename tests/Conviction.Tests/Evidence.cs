using System.Globalization;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>Facts of a journal beyond the verdict.</summary>
internal static class Evidence
{
    /// <summary>The most events that were begun at a sink and not yet stored at both, at any moment.</summary>
    public static int MostInFlight(IEnumerable<JournalRecord> journal)
    {
        var stored = new Dictionary<string, int>(StringComparer.Ordinal);
        var most = 0;
        var inFlight = 0;
        foreach (var (name, moment) in journal.Select(Write).Where(write => write.Event is not null))
        {
            if (moment == WriteMoment.Begun && stored.TryAdd(name!, 0))
            {
                most = Math.Max(most, ++inFlight);
            }
            else if (moment == WriteMoment.Stored && ++stored[name!] == 2)
            {
                inFlight--;
            }
        }

        return most;
    }

    /// <summary>The most events by which a write began beyond the checkpoint stored at that moment.</summary>
    public static long FarthestBeyondCheckpoint(IEnumerable<JournalRecord> journal)
    {
        var (stored, farthest) = (-1L, 0L);
        foreach (var record in journal)
        {
            if (record is CheckpointWritten { Moment: WriteMoment.Stored } checkpoint)
            {
                stored = long.Parse(checkpoint.Sequence!, CultureInfo.InvariantCulture);
            }
            else if (Write(record) is ({ } name, WriteMoment.Begun))
            {
                farthest = Math.Max(farthest, long.Parse(name, CultureInfo.InvariantCulture) - stored);
            }
        }

        return farthest;
    }

    private static (string? Event, WriteMoment Moment) Write(JournalRecord record) =>
        record switch
        {
            MessageWritten message => (message.MessageId[(message.MessageId.LastIndexOf('-') + 1)..], message.Moment),
            BlobWritten blob => (blob.Name[(blob.Name.LastIndexOf('/') + 1)..].TrimStart('0') is { Length: > 0 } digits ? digits : "0", blob.Moment),
            _ => (null, default),
        };
}
