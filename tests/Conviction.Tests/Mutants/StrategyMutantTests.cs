using EventHubThroughput.Strategies;
using EventHubThroughput.Verification;
using EventHubThroughput.Verification.Tests.Generated;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.Mutants;

/// <summary>
/// Changes to good runs of every safe strategy under the consumer's own pump. Each is convicted, undecided or refused, or a rule proves that it is
/// equivalent to its good run. A sample for each commit. <c>EHT_MUTANTS=all</c> judges all of them (<c>benchmarks/mutants</c>). The counts are in
/// <c>docs/results/mutants.md</c>. After a planned change, <c>EHT_APPROVE=1</c> writes them again.
/// </summary>
public sealed class StrategyMutantTests(ITestOutputHelper output)
{
    private const string AllHeading = "## All, by base strategy";
    private const string SampleHeading = "## Each commit, by base strategy";

    private static readonly Lazy<IReadOnlyList<Judged>> Judged = new(() => Survey.Judge(Survey.JudgesAll ? StrategyBases.Mutants() : StrategyBases.Sample()));

    [Fact]
    public void Every_base_is_good() =>
        Assert.All(
            StrategyBases.All,
            one =>
            {
                var verdict = one.Run.Judge();
                Assert.True(verdict.Outcome == VerdictOutcome.Pass, $"{one.Strategy}: {verdict.Summary}");
            }
        );

    [Fact]
    public void The_bases_of_each_strategy_have_replays_dead_letters_redrives_cuts_and_restarts()
    {
        foreach (var strategy in StrategyCatalog.Safe)
        {
            var runs = StrategyBases.All.Where(one => one.Strategy == strategy.Name).Select(one => one.Run).ToList();
            var verdicts = runs.Select(run => run.Judge()).ToList();
            var kinds = runs.SelectMany(run => run.Journal).Select(GeneratedMutant.GetName).ToHashSet();

            Assert.True(verdicts.Sum(verdict => verdict.Replayed) > 0, $"{strategy.Name}: nothing was replayed");
            Assert.True(verdicts.Sum(verdict => verdict.DeadLettered) > 0, $"{strategy.Name}: no dead letter is left");
            Assert.Superset(new HashSet<string> { "blob.delete", "sb.cut", "em.start", "own.write" }, kinds);
        }
    }

    [Fact]
    public void No_mutant_survives_that_no_rule_proves_equivalent()
    {
        var survivors = Judged.Value.Where(judged => judged.Fate == Fate.Survived).ToList();

        foreach (var group in survivors.GroupBy(judged => $"{judged.Mutant.Kind} of {judged.Mutant.Record}"))
        {
            output.WriteLine($"{group.Count(), 6} {group.Key}, such as: {string.Join("\n       ", group.Take(4))}");
        }

        Assert.True(survivors.Count == 0, $"{survivors.Count} of {Judged.Value.Count} mutants survived, such as\n{string.Join('\n', survivors.Take(20))}");
    }

    [Fact]
    public void No_rule_calls_equivalent_what_is_convicted()
    {
        var contradictions = Judged.Value.Where(judged => judged is { Fate: Fate.Convicted, Rule: not null }).ToList();

        Assert.True(
            contradictions.Count == 0,
            $"{contradictions.Count}, such as\n{string.Join('\n', contradictions.Take(20).Select(one => $"{one.Rule!.Name}: {one}"))}"
        );
    }

    [Fact]
    public void Convicted_strategies_are_charged_with_what_they_did()
    {
        var others = Judged.Value.Where(judged => judged.IsForAnotherReason).ToList();

        Assert.True(others.Count == 0, $"{others.Count}, such as\n{string.Join('\n', others.Take(20))}");
    }

    [Fact]
    public void No_rule_excuses_more_than_its_share() =>
        Assert.All(
            EquivalenceRule.All,
            rule =>
                Assert.True(
                    SurveyTable.Share(rule, Judged.Value) <= rule.MostShare,
                    $"'{rule.Name}' excuses {SurveyTable.Share(rule, Judged.Value)} % of a kind"
                )
        );

    [Fact]
    public void The_documented_counts_are_these() =>
        DocumentedTable.Check(
            Survey.JudgesAll ? AllHeading : SampleHeading,
            [.. SurveyTable.ByBase(Judged.Value), .. SurveyTable.Of(Judged.Value).Prepend("")]
        );
}
