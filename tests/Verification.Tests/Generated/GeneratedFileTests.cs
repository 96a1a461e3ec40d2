using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using Xunit;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>Mutants as files, written by the real writers, with new ticks and checksums, and read by the real readers.</summary>
public sealed class GeneratedFileTests : IDisposable
{
    private const int EveryOther = 61;

    private readonly string ledgerPath = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.ledger");
    private readonly string journalPath = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.journal");

    public void Dispose()
    {
        File.Delete(ledgerPath);
        File.Delete(journalPath);
    }

    [Fact]
    public void A_mutant_is_judged_alike_as_a_file()
    {
        // The writer gives its own times, on which the excuse for a copy depends.
        var mutants = Shapes.Sample().Where(made => made.Mutant.Kind != MutantKind.CopyWithoutCause);
        foreach (var (_, mutant) in mutants.Where((_, at) => at % EveryOther == 0))
        {
            var run = mutant.Make();
            Write(run);

            Assert.Equal(GetOutcome(run.Judge), GetOutcome(() => Read(run.Scope)));
        }
    }

    [Fact]
    public void A_journal_that_is_cut_anywhere_is_never_a_pass()
    {
        var run = PlayedRun.Of(Shapes.All[0].Options);
        Write(run);
        var whole = File.ReadAllBytes(journalPath);
        var lastWrite = whole.AsSpan().LastIndexOf("\"k\":\"ck.write\""u8);

        // After the last checkpoint only the end of a line is missing.
        foreach (var length in Enumerable.Range(1, 200).Select(step => step * (whole.Length - 1) / 200))
        {
            File.WriteAllBytes(journalPath, whole[..length]);
            var outcome = GetOutcome(() => Read(run.Scope));
            Assert.True(
                !outcome.StartsWith("Pass", StringComparison.Ordinal) || (length > lastWrite && whole[length - 1] == (byte)'\n'),
                $"{length} of {whole.Length} bytes: {outcome}"
            );
        }
    }

    [Fact]
    public void A_ledger_that_is_cut_anywhere_is_never_a_pass()
    {
        var run = PlayedRun.Of(Shapes.All[0].Options);
        Write(run);
        var whole = File.ReadAllBytes(ledgerPath);

        foreach (var length in Enumerable.Range(1, 200).Select(step => step * (whole.Length - 1) / 200))
        {
            File.WriteAllBytes(ledgerPath, whole[..length]);
            var outcome = GetOutcome(() => Read(run.Scope));
            Assert.False(outcome.StartsWith("Pass", StringComparison.Ordinal), $"{length} of {whole.Length} bytes: {outcome}");
        }
    }

    private static string GetOutcome(Func<Verdict> judge)
    {
        try
        {
            var verdict = judge();
            return $"{verdict.Outcome} {System.Text.Json.JsonSerializer.Serialize(verdict)}";
        }
        catch (JournalFormatException refusal)
        {
            return refusal.Message;
        }
    }

    private Verdict Read(VerificationScope scope) => Verifier.Judge(LedgerFile.Open(ledgerPath), JournalFile.Open(journalPath), scope);

    private void Write(GoodRun run)
    {
        using (var journal = JournalWriter.Open(journalPath, TimeProvider.System))
        {
            journal.Write(run.Journal.ToArray());
        }

        using var ledger = LedgerWriter.Open(ledgerPath);
        foreach (var row in run.Ledger)
        {
            ledger.Write(row);
        }
    }
}
