using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Judging;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification;

/// <summary>
/// Computes the verdict on a run from the sender's record (the ledger) and the services' record (the journal). It uses no report of the consumer.
/// </summary>
public static class Verifier
{
    /// <summary>Judges from files. If a file ends early, everything that depends on the missing part is undecided.</summary>
    /// <exception cref="JournalFormatException">A file is damaged.</exception>
    /// <exception cref="IOException">A file cannot be read, or the temporary folder is full or cannot be written.</exception>
    public static Verdict Judge(LedgerFile ledger, JournalFile journal, VerificationScope scope) => Judge(ledger, journal, scope, new VerifierResources());

    /// <summary>Judges from files with the given resources.</summary>
    /// <exception cref="JournalFormatException">A file is damaged.</exception>
    /// <exception cref="IOException">A file cannot be read, or the temporary folder is full or cannot be written.</exception>
    public static Verdict Judge(LedgerFile ledger, JournalFile journal, VerificationScope scope, VerifierResources resources) =>
        Judge(ledger, journal, [scope], resources)[0];

    /// <summary>
    /// Judges several runs with a common ledger and journal, each by its own scope and independently. Both files are read once for all of them, which takes
    /// nearly all of the time. Each run takes <see cref="VerifierResources.SortingBytes"/>.
    /// </summary>
    /// <returns>A verdict for each scope, in their order.</returns>
    /// <exception cref="JournalFormatException">A file is damaged.</exception>
    /// <exception cref="IOException">A file cannot be read, or the temporary folder is full or cannot be written.</exception>
    public static IReadOnlyList<Verdict> Judge(LedgerFile ledger, JournalFile journal, IReadOnlyList<VerificationScope> scopes, VerifierResources resources) =>
        Judge(new Sources(ledger.Rows, () => ledger.EndsEarly, journal.Views, () => journal.EndsEarly, journal.Version), scopes, resources);

    /// <summary>Judges from rows and records.</summary>
    /// <exception cref="JournalFormatException">Ticks do not increase, or an index occurs twice in the ledger.</exception>
    public static Verdict Judge(IEnumerable<LedgerRow> ledger, IEnumerable<JournalRecord> journal, VerificationScope scope) =>
        Judge(ledger, journal, scope, new VerifierResources());

    internal static Verdict Judge(IEnumerable<LedgerRow> ledger, IEnumerable<JournalRecord> journal, VerificationScope scope, VerifierResources resources) =>
        Judge(ledger, journal, [scope], resources)[0];

    internal static IReadOnlyList<Verdict> Judge(
        IEnumerable<LedgerRow> ledger,
        IEnumerable<JournalRecord> journal,
        IReadOnlyList<VerificationScope> scopes,
        VerifierResources resources
    ) => Judge(new Sources(ledger, static () => false, RecordView.Of(journal), static () => false, JournalFile.NewestVersion), scopes, resources);

    private static Verdict[] Judge(Sources sources, IReadOnlyList<VerificationScope> scopes, VerifierResources resources)
    {
        var verdicts = new Verdict[scopes.Count];
        var left = scopes.Select(static (scope, place) => (Scope: scope, Place: place, Offsets: new OffsetIndex())).ToList();
        while (left.Count > 0)
        {
            left.ForEach(static one => one.Offsets.BeginReading());
            var runs = left.ConvertAll(one => new JudgedRun(sources, one.Scope, resources, one.Offsets));
            try
            {
                JudgedRun.Read(sources, runs);
                foreach (var (one, run) in left.Zip(runs).Where(static both => !both.First.Offsets.NeedsAnotherReading))
                {
                    verdicts[one.Place] = run.Judge();
                }
            }
            finally
            {
                runs.ForEach(static run => run.Dispose());
            }

            left.RemoveAll(static one => !one.Offsets.NeedsAnotherReading);
        }

        return verdicts;
    }
}
