using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using EventHubThroughput.Verification.Tests;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.Mutants;

/// <summary>Runs of every safe strategy with every trouble, drawn with seeds, are clean: <see cref="Budget.Journals"/> of them.</summary>
public sealed class GoodJournalTests
{
    [Fact]
    public void Good_journals_are_clean()
    {
        var failures = Enumerable
            .Range(Budget.FirstSeed, Budget.Journals)
            .AsParallel()
            .Select(static seed => (Seed: seed, Verdict: GetJudge(seed)))
            .Where(static one => one.Verdict is not null)
            .Order()
            .ToList();

        Assert.True(
            failures.Count == 0,
            $"{failures.Count} of {Budget.Journals} journals are not clean, repeat the first with EHT_SEED={failures.FirstOrDefault().Seed} EHT_JOURNALS=1:\n"
                + string.Join('\n', failures.Take(10).Select(static one => $"seed {one.Seed}: {one.Verdict}"))
        );
    }

    [Fact]
    public void Fifty_journals_have_every_strategy_and_every_trouble()
    {
        var drawn = Enumerable.Range(0, 50).Select(Draw).ToList();

        Assert.Equal(StrategyCatalog.Safe.Count, drawn.Select(one => one.Strategy.Name).Distinct().Count());
        Assert.Equal(Enum.GetValues<OwnerEnd>(), drawn.SelectMany(one => one.Trouble.Ends).Distinct().Order());
        Assert.Contains(drawn, one => one.Trouble is { RefusedByQueue.Count: > 0, RedriveKills: > 0, RedrivesMeanwhile: true });
        Assert.Contains(drawn, one => one.Trouble is { RefusedByArchive.Count: > 0, RedriveKills: null });
        Assert.Contains(drawn, one => one.Trouble is { FaultEvery: > 0, Ends.Count: > 0, NamesReaders: true });
    }

    // Null for a clean one.
    private static string? GetJudge(int seed)
    {
        var (strategy, trouble) = Draw(seed);
        try
        {
            var run = TroubledRun.Play(strategy, seed, trouble);
            var verdict = run.Judge();
            // One alone is repeated to be looked at.
            var journal = Budget.Journals == 1 ? $"\n{string.Join('\n', GoodRun.Numbered(run.Journal))}" : string.Empty;
            return verdict.Outcome == VerdictOutcome.Pass ? null : $"{strategy.Name}, {trouble}: {verdict.Summary}{journal}";
        }
        catch (Exception failure) when (failure is not OutOfMemoryException)
        {
            return $"{strategy.Name}, {trouble}: {failure.Message}";
        }
    }

    private static (StrategyDescriptor Strategy, Trouble Trouble) Draw(int seed)
    {
        var random = new Random(seed);
        var events = random.Next(1, 25);
        var trouble = new Trouble
        {
            Events = events,
            Keys = random.Next(0, 5),
            Degree = random.Next(1, 9),
            Batch = random.Next(1, 7),
            CheckpointEvery = random.Next(3) == 0 ? null : random.Next(1, 6),
            Ends = [.. Enumerable.Range(0, random.Next(0, 5)).Select(_ => (OwnerEnd)random.Next(4))],
            RefusedByQueue = Some(),
            RefusedByArchive = Some(),
            FaultEvery = random.Next(2) == 0 ? 0 : random.Next(2, 8),
            RedriveKills = random.Next(2) == 0 ? null : random.Next(0, 3),
            RedrivesMeanwhile = random.Next(2) == 0,
            NamesReaders = random.Next(2) == 0,
        };
        return (StrategyCatalog.Safe[seed % StrategyCatalog.Safe.Count], trouble);

        HashSet<long> Some() => random.Next(2) == 0 ? [] : [.. Enumerable.Range(0, random.Next(1, 4)).Select(_ => (long)random.Next(events))];
    }
}
