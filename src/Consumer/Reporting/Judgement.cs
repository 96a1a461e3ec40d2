using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>
/// The verdict on a run and the exit code that follows from it. It asks ledger and journal only; nothing that the consumer counted
/// goes into it.
/// </summary>
/// <param name="Verdict">The verdict; null when there was nothing to judge.</param>
/// <param name="Line">The verdict in one line.</param>
/// <param name="Code">0, or 3 when the verification failed or a named source cannot be used.</param>
internal sealed record Judgement(Verdict? Verdict, string Line, int Code)
{
    /// <summary>One word for metrics: clean, failed or undecided.</summary>
    public string Word =>
        Verdict?.Outcome switch
        {
            VerdictOutcome.Pass => "clean",
            VerdictOutcome.Fail => "failed",
            _ => "undecided",
        };

    /// <summary>No source was named.</summary>
    public static Judgement NothingNamed { get; } = new(null, "verdict: undecided (no ledger, no journal)", ExitCode.Done);

    /// <summary>Judges from the two files.</summary>
    /// <param name="ledgerPath">The sender's ledger.</param>
    /// <param name="journalPath">The emulator's journal.</param>
    /// <param name="scope">Which run, and where its events went.</param>
    public static Judgement Of(string ledgerPath, string journalPath, VerificationScope scope)
    {
        foreach (var (what, path) in new[] { ("ledger", ledgerPath), ("journal", journalPath) })
        {
            if (!File.Exists(path))
            {
                return Unusable($"{what} {path} {(Directory.Exists(path) ? "is a folder" : "not found")}");
            }
        }

        try
        {
            var ledger = LedgerFile.Open(ledgerPath);
            var journal = JournalFile.Open(journalPath);
            var verdict = Verifier.Judge(ledger, journal, scope);
            return new Judgement(verdict, verdict.Summary, CodeOf(verdict, scope.RunFinished, ledger.EndsEarly || journal.EndsEarly));
        }
        catch (Exception exception) when (exception is JournalFormatException or IOException or UnauthorizedAccessException)
        {
            return Unusable(exception.Message);
        }
    }

    // A run that was stopped on purpose is not through: undecided is then no fault of the sources, unless they are cut.
    private static int CodeOf(Verdict verdict, bool finished, bool cut) =>
        verdict.Outcome switch
        {
            VerdictOutcome.Pass => ExitCode.Done,
            VerdictOutcome.Undecided when !finished && !cut => ExitCode.Done,
            _ => ExitCode.VerificationFailed,
        };

    private static Judgement Unusable(string why) => new(null, $"verdict: undecided ({why})", ExitCode.VerificationFailed);
}
