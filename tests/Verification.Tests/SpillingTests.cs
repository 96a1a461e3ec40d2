using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification.Facts;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>However little memory there is, the verdict is the same.</summary>
public sealed class SpillingTests
{
    private static readonly VerifierResources Tiny = new() { SortingBytes = 2_000 };

    private static readonly VerifierResources Nowhere = new() { SortingBytes = 2_000, TemporaryFolder = "/no/such/folder" };

    [Fact]
    public void Any_journal_is_judged_alike_with_much_memory_and_with_little()
    {
        var property = Prop.ForAll(
            Gen.Choose(0, int.MaxValue).ToArbitrary(),
            seed =>
            {
                var run = GoodRunTests.Of(seed).Play();
                Damage(run.Journal, new Random(seed));
                Assert.Equal(Text(run.Judge()), Text(Verifier.Judge(run.Ledger, GoodRun.Numbered(run.Journal), run.Scope, Tiny)));
            }
        );
        Check.One(PropertyCases.Times(0.5), property);
    }

    [Fact]
    public void A_run_that_does_not_fit_in_memory_is_judged_with_the_help_of_the_disk()
    {
        var run = new Simulation(7)
        {
            Events = 5_000,
            Partitions = 3,
            Keys = 50,
            Crashes = 5,
            Promise = OrderPromise.Key,
        }.Play();
        var numbered = GoodRun.Numbered(run.Journal);

        Assert.Equal(VerdictOutcome.Pass, Verifier.Judge(run.Ledger, numbered, run.Scope, Tiny with { SortingBytes = 200_000 }).Outcome);
        var refusal = Assert.Throws<IOException>(() => Verifier.Judge(run.Ledger, numbered, run.Scope, Nowhere));
        Assert.StartsWith("temporary folder /no/such/folder: cannot be written: ", refusal.Message, StringComparison.Ordinal);
    }

    // Takes records out, repeats them and moves them: most such journals are convicted of something.
    internal static void Damage(List<JournalRecord> journal, Random random)
    {
        for (var blows = random.Next(4); blows > 0 && journal.Count > 1; blows--)
        {
            var (from, to) = (random.Next(journal.Count), random.Next(journal.Count));
            var record = journal[from];
            if (random.Next(3) > 0 && record is not EventAppended)
            {
                journal.RemoveAt(from);
            }

            if (random.Next(3) > 0)
            {
                journal.Insert(Math.Min(to, journal.Count), record);
            }
        }
    }

    internal static string Text(Verdict verdict) => System.Text.Json.JsonSerializer.Serialize(verdict);
}
