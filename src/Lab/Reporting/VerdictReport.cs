using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>
/// The verdict on a run and the exit code that follows from it. It uses only ledger and journal, and no count of
/// the consumer.
/// </summary>
/// <param name="Verdict">The verdict. Null when there was nothing to judge.</param>
/// <param name="Line">The verdict in one line.</param>
/// <param name="Code">0, or 3 when the verification failed or a named source cannot be used.</param>
internal sealed record VerdictReport(Verdict? Verdict, string Line, int Code)
{
    /// <summary>The verdict in one word.</summary>
    public SafetyVerdict Standing =>
        Verdict?.Outcome switch
        {
            VerdictOutcome.Pass => SafetyVerdict.Clean,
            VerdictOutcome.Fail => SafetyVerdict.Failed,
            _ => SafetyVerdict.Undecided,
        };

    /// <summary>The same word for metrics: clean, failed or undecided.</summary>
    public string Word =>
        Standing switch
        {
            SafetyVerdict.Clean => "clean",
            SafetyVerdict.Failed => "failed",
            _ => "undecided",
        };

    /// <summary>The sinks of the run that ledger and journal do not cover.</summary>
    public IReadOnlyList<string> Unjudged { get; init; } = [];

    // A consumer that judges itself keeps the memory size of its run, for any length of the run. The rest is written to the disk.
    private static readonly VerifierResources Resources = new() { SortingBytes = 8 * 1024 * 1024 };

    /// <summary>No source was named.</summary>
    public static VerdictReport NothingNamed { get; } = new(null, "verdict: undecided (no ledger, no journal)", ExitCode.Done);

    /// <summary>Judges from the two files.</summary>
    /// <param name="ledgerPath">The sender's ledger.</param>
    /// <param name="journalPath">The emulator's journal.</param>
    /// <param name="scope">Which run, and where its events went.</param>
    /// <param name="endedEarly">Whether the run ended early, without claiming completion. Then unfinished events are not a failure.</param>
    public static VerdictReport Of(string ledgerPath, string journalPath, VerificationScope scope, bool endedEarly) =>
        Of(ledgerPath, journalPath, [scope], endedEarly)[0];

    /// <summary>Judges several runs that have both files in common, which are read once for all of them.</summary>
    /// <param name="ledgerPath">The sender's ledger.</param>
    /// <param name="journalPath">The emulator's journal.</param>
    /// <param name="scopes">Which runs, and where their events went.</param>
    /// <param name="endedEarly">Whether the runs ended early.</param>
    /// <returns>A judgement for each, in their order.</returns>
    public static IReadOnlyList<VerdictReport> Of(string ledgerPath, string journalPath, IReadOnlyList<VerificationScope> scopes, bool endedEarly)
    {
        foreach (var (what, path) in new[] { ("ledger", ledgerPath), ("journal", journalPath) })
        {
            if (!File.Exists(path))
            {
                return Unusable(scopes, $"{what} {path} {UnreadableFile.GetReason(path)}");
            }
        }

        try
        {
            var ledger = LedgerFile.Open(ledgerPath);
            var journal = JournalFile.Open(journalPath);
            var verdicts = Verifier.Judge(ledger, journal, scopes, Resources);
            return
            [
                .. verdicts.Select(verdict => new VerdictReport(
                    verdict,
                    verdict.Summary,
                    GetCode(verdict, endedEarly && !verdict.Finished, ledger.EndsEarly || journal.EndsEarly)
                )),
            ];
        }
        catch (Exception exception) when (exception is JournalFormatException or IOException or UnauthorizedAccessException)
        {
            return Unusable(scopes, exception.Message);
        }
    }

    // Unless the sources are cut: the missing part may contain a breach.
    private static int GetCode(Verdict verdict, bool asExpected, bool cut) =>
        verdict.Outcome switch
        {
            VerdictOutcome.Pass => ExitCode.Done,
            VerdictOutcome.Undecided when asExpected && !cut => ExitCode.Done,
            _ => ExitCode.VerificationFailed,
        };

    private static IReadOnlyList<VerdictReport> Unusable(IReadOnlyList<VerificationScope> scopes, string why) =>
        [.. scopes.Select(_ => new VerdictReport(null, $"verdict: undecided ({why})", ExitCode.VerificationFailed))];
}
