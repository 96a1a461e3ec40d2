using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Judging;
using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification;

/// <summary>
/// Computes the verdict on a run from what its sender meant (the ledger) and what the services saw (the journal), and from
/// nothing that the consumer says of itself.
/// </summary>
public static class Verifier
{
    /// <summary>Judges from files; one that ends early makes undecided what it would have had to tell.</summary>
    /// <exception cref="JournalFormatException">A file is damaged.</exception>
    /// <exception cref="IOException">A file cannot be read, or the temporary folder is full or cannot be written.</exception>
    public static Verdict Judge(LedgerFile ledger, JournalFile journal, VerificationScope scope) => Judge(ledger, journal, scope, new VerifierResources());

    /// <summary>Judges from files within the resources that are given.</summary>
    /// <exception cref="JournalFormatException">A file is damaged.</exception>
    /// <exception cref="IOException">A file cannot be read, or the temporary folder is full or cannot be written.</exception>
    public static Verdict Judge(LedgerFile ledger, JournalFile journal, VerificationScope scope, VerifierResources resources) =>
        Judge(new Sources(ledger.Rows, () => ledger.EndsEarly, journal.Views, () => journal.EndsEarly, journal.Version), scope, resources);

    /// <summary>Judges from rows and records.</summary>
    /// <exception cref="JournalFormatException">Ticks do not increase, or an index stands in the ledger twice.</exception>
    public static Verdict Judge(IEnumerable<LedgerRow> ledger, IEnumerable<JournalRecord> journal, VerificationScope scope) =>
        Judge(ledger, journal, scope, new VerifierResources());

    internal static Verdict Judge(IEnumerable<LedgerRow> ledger, IEnumerable<JournalRecord> journal, VerificationScope scope, VerifierResources resources) =>
        Judge(new Sources(ledger, static () => false, RecordView.Of(journal), static () => false, JournalFile.NewestVersion), scope, resources);

    private static Verdict Judge(Sources sources, VerificationScope scope, VerifierResources resources)
    {
        var offsets = new OffsetIndex();
        while (true)
        {
            offsets.BeginReading();
            using var judging = new JudgedRun(sources, scope, resources, offsets);
            judging.Read();
            if (!offsets.NeedsAnotherReading)
            {
                return judging.Judge();
            }
        }
    }
}
