using EventHubThroughput.Testing;
using EventHubThroughput.Verification.Facts;
using Xunit;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>
/// Thousands of changes to good runs: each is convicted, undecided or refused, or a rule proves that it is equivalent to its good run. A sample for
/// each commit. <c>EHT_MUTANTS=all</c> judges all of them (<c>benchmarks/mutants</c>). The results are in <c>docs/results/mutants.md</c>. After a
/// planned change, <c>EHT_APPROVE=1</c> writes the counts again.
/// </summary>
public sealed class GeneratedMutantTests(ITestOutputHelper output)
{
    private const string AllHeading = "## All";
    private const string SampleHeading = "## Each commit";

    private static readonly Lazy<IReadOnlyList<Judged>> Judged = new(() => Survey.Judge(Survey.JudgesAll ? Shapes.Mutants() : Shapes.Sample()));

    public static TheoryData<string> ShapeNames => [.. Shapes.All.Select(shape => shape.Name)];

    [Theory]
    [MemberData(nameof(ShapeNames))]
    public void Every_shape_is_good(string name)
    {
        var verdict = PlayedRun.Of(Shapes.All.Single(shape => shape.Name == name).Options).Judge();

        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
    }

    [Fact]
    public void The_shapes_have_every_kind_of_record_and_every_trouble()
    {
        var runs = Shapes.All.Select(shape => PlayedRun.Of(shape.Options)).ToList();
        var verdicts = runs.Select(run => run.Judge()).ToList();

        Assert.Equal(18, runs.SelectMany(run => run.Journal).Select(GeneratedMutant.GetName).Distinct().Count());
        Assert.Contains(verdicts, verdict => verdict is { Replayed: > 0, DuplicateServiceBus: > 0, Repeated: > 0 });
        Assert.Contains(verdicts, verdict => verdict.DeadLettered > 0);
        Assert.Contains(verdicts, verdict => verdict.Expired > 0);
        Assert.Contains(verdicts, verdict => verdict.Recovered > 0);
    }

    [Fact]
    public void No_mutant_survives_that_no_rule_proves_equivalent()
    {
        var survivors = Judged.Value.Where(judged => judged.Fate == Fate.Survived).ToList();

        Write(survivors);
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
    public void A_convicted_mutant_is_charged_with_its_change()
    {
        var others = Judged.Value.Where(judged => judged.IsForAnotherReason).ToList();

        Assert.True(others.Count == 0, $"{others.Count}, such as\n{string.Join('\n', others.Take(20))}");
    }

    [Fact]
    public void Every_rule_excuses_something_and_no_more_than_its_share()
    {
        foreach (var rule in EquivalenceRule.All)
        {
            Assert.True(
                rule.IsOfRedrives || Judged.Value.Any(judged => judged.Fate == Fate.Equivalent && judged.Rule == rule),
                $"'{rule.Name}' excuses nothing"
            );
            Assert.True(SurveyTable.Share(rule, Judged.Value) <= rule.MostShare, $"'{rule.Name}' excuses {SurveyTable.Share(rule, Judged.Value)} % of a kind");
        }
    }

    [Fact]
    public void The_documented_counts_are_these()
    {
        DocumentedTable.Check(Survey.JudgesAll ? AllHeading : SampleHeading, SurveyTable.Of(Judged.Value));
    }

    [Fact]
    public void The_documents_give_the_reason_for_each_rule()
    {
        var lines = File.ReadAllLines(RepositoryFiles.GetPath("docs", "results", "mutants.md"));

        Assert.All(EquivalenceRule.All, rule => Assert.Contains($"- **{rule.Name}**: {rule.Reason}.", lines));
    }

    private void Write(List<Judged> survivors)
    {
        foreach (var group in survivors.GroupBy(judged => $"{judged.Mutant.Kind} of {judged.Mutant.Record}"))
        {
            output.WriteLine($"{group.Count(), 6} {group.Key}, such as: {group.First()}");
        }
    }
}
