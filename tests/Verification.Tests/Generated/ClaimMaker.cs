using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Changes the owner that claims a partition, the place, and the owner that stored a checkpoint over a version.</summary>
internal sealed class ClaimMaker(GoodRun good)
{
    private readonly List<JournalRecord> journal = good.Journal;
    private readonly List<string> owners =
    [
        .. good.Journal.OfType<OwnershipWritten>().Select(static claim => claim.Owner).Where(static owner => owner.Length > 0).Distinct(),
    ];

    public IEnumerable<GeneratedMutant> All() => Enumerable.Range(0, journal.Count).SelectMany(Claims);

    private IEnumerable<GeneratedMutant> Claims(int at)
    {
        switch (journal[at])
        {
            case OwnershipWritten claim:
                if (claim.Owner.Length > 0)
                {
                    yield return Changed(at, "given up", claim with { Owner = string.Empty });
                }

                foreach (var owner in owners.Where(owner => owner != claim.Owner))
                {
                    yield return Changed(at, $"claimed by {owner}", claim with { Owner = owner });
                }

                yield return Changed(at, "in another store", claim with { Container = "elsewhere" });
                yield return Changed(at, "over no version", claim with { PreviousETag = null });
                break;
            case CheckpointWritten { Moment: WriteMoment.Stored } checkpoint:
                foreach (var owner in owners.Where(owner => owner != checkpoint.ClientId))
                {
                    yield return Changed(at, $"stored by {owner}", checkpoint with { ClientId = owner });
                }

                yield return Changed(at, "stored by nobody", checkpoint with { ClientId = null });
                yield return Changed(at, "over another version", checkpoint with { PreviousETag = "another" });
                break;
            default:
                break;
        }
    }

    private GeneratedMutant Changed(int at, string what, JournalRecord changed) =>
        new(MutantKind.WrongMetadata, GeneratedMutant.GetName(changed), $"{what} at {at + 1}", good, records => records[at] = changed) { At = at };
}
