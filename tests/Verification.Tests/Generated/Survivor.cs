using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>A mutant that passed, beside the run that it was made of: what a rule looks at.</summary>
internal sealed class Survivor
{
    private readonly Lazy<List<Deed>> added;
    private readonly Lazy<List<Deed>> removed;

    public Survivor(GeneratedMutant mutant, GoodRun run)
    {
        (Mutant, Run) = (mutant, run);
        Before = Deed.Of(mutant.Good);
        After = Deed.Of(run);
        added = new(() => Difference(After, Before));
        removed = new(() => Difference(Before, After));
    }

    public GeneratedMutant Mutant { get; }

    public GoodRun Run { get; }

    /// <summary>The good run's deeds.</summary>
    public List<Deed> Before { get; }

    /// <summary>The mutant's deeds.</summary>
    public List<Deed> After { get; }

    public List<Deed> Added => added.Value;

    public List<Deed> Removed => removed.Value;

    public bool HasSameDeeds => Before.SequenceEqual(After);

    /// <summary>Whether both runs have the same deeds in the same order except for some.</summary>
    public bool IsSameWithout(Func<Deed, bool> which) => Before.Where(deed => !which(deed)).SequenceEqual(After.Where(deed => !which(deed)));

    /// <summary>The record that was changed, or null for a row of the ledger.</summary>
    public JournalRecord? Changed => Mutant.At < 0 ? null : Mutant.Good.Journal[Mutant.At];

    /// <summary>Rows that are in one ledger only.</summary>
    public IEnumerable<LedgerRow> ChangedRows =>
        Mutant
            .Good.Ledger.Except(Run.Ledger)
            .Concat(Run.Ledger.Except(Mutant.Good.Ledger))
            .Concat(Run.Ledger.GroupBy(row => row).Where(group => group.Count() > 1).Select(group => group.Key));

    /// <summary>Whether the record that was changed is about an event of another run of the ledger.</summary>
    public bool IsOfOtherRun => Changed is { } record && Mutant.Good.Scope.Run is not null && GetEvent(record) is { } name && OthersEvents.Contains(name);

    /// <summary>Whether the deeds with this run's events, and its checkpoints, are the same in the same order.</summary>
    public bool HasSameDeedsOfRun
    {
        get
        {
            var others = OthersEvents;
            return IsSameWithout(deed => others.Contains((deed.Partition, deed.Sequence)));
        }
    }

    /// <summary>Whether every checkpoint that is in one journal only is below this run's events.</summary>
    public bool IsBelowTheRun =>
        Mutant.Good.Scope.Run is not null
        && OthersEvents is var others
        && Added.Concat(Removed).All(deed => deed.Kind == DeedKind.Checkpoint && others.Contains((deed.Partition, deed.Sequence)));

    private HashSet<(string, long)> OthersEvents =>
        [
            .. Mutant
                .Good.Journal.OfType<EventAppended>()
                .Where(appended => appended.Hub == GoodRun.Hub && appended.Properties!["eht-run"] != GoodRun.Run)
                .Select(appended => (appended.Partition, appended.Sequence)),
        ];

    private static (string, long)? GetEvent(JournalRecord record) =>
        record switch
        {
            EventAppended appended => (appended.Partition, appended.Sequence),
            EventDelivered delivered => (delivered.Partition, delivered.Sequence),
            MessageWritten message => Named(message.MessageId, '-'),
            BlobWritten blob => Named(blob.Name, '/'),
            _ => null,
        };

    private static (string, long) Named(string name, char separator)
    {
        var parts = name.Split(separator);
        return (parts[1], long.Parse(parts[2], System.Globalization.CultureInfo.InvariantCulture));
    }

    private static List<Deed> Difference(List<Deed> of, List<Deed> without)
    {
        var counts = without.GroupBy(deed => deed).ToDictionary(group => group.Key, group => group.Count());
        var rest = new List<Deed>();
        foreach (var deed in of)
        {
            if (counts.GetValueOrDefault(deed) > 0)
            {
                counts[deed]--;
            }
            else
            {
                rest.Add(deed);
            }
        }

        return rest;
    }
}
