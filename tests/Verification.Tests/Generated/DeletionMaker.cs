using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Deletes blobs that were stored, of the archive and of the dead letters: immediately, at the end, and to upload them again.</summary>
internal sealed class DeletionMaker(GoodRun good)
{
    private readonly List<JournalRecord> journal = good.Journal;

    public IEnumerable<GeneratedMutant> All()
    {
        var promised = EventNames.Promised(good).Select(EventNames.Blob).ToHashSet();
        for (var place = 0; place < journal.Count; place++)
        {
            var at = place;
            // Changed metadata are stored again. The last time counts.
            if (
                journal[at] is not BlobWritten { Moment: WriteMoment.Stored } blob
                || !promised.Contains(blob.Name)
                || journal.Skip(at + 1).Any(record => record is BlobWritten { Moment: WriteMoment.Stored } other && IsSame(other.Container, other.Name, blob))
                || journal.Exists(record => record is BlobDeleted deleted && IsSame(deleted.Container, deleted.Name, blob))
            )
            {
                continue;
            }

            var deletion = new BlobDeleted(blob.Container, blob.Name, blob.ETag);
            yield return Of(at, "deleted at once", "lost", records => records.Insert(at + 1, deletion));
            yield return Of(at, "deleted at the end", "lost", records => records.Add(deletion));
            if (blob.Container == "archive")
            {
                yield return Of(
                    at,
                    "deleted and uploaded again",
                    "duplicateBlob",
                    records => records.InsertRange(at + 1, [deletion, blob with { Moment = WriteMoment.Begun }, blob])
                );
            }
        }
    }

    private static bool IsSame(string container, string name, BlobWritten blob) => container == blob.Container && name == blob.Name;

    private GeneratedMutant Of(int at, string what, string charge, Action<List<JournalRecord>> change) =>
        new(MutantKind.DeletedBlob, GeneratedMutant.GetName(journal[at]), $"{what} at {at + 1}", good, change) { At = at, Charge = charge };
}
