using EventHubThroughput.Verification.Facts;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

public sealed class MutantTests
{
    private static readonly Dictionary<string, Mutant> ByName = Mutant.All.ToDictionary(mutant => mutant.Name, StringComparer.Ordinal);

    public static TheoryData<string> Names => [.. ByName.Keys];

    [Theory]
    [InlineData((int)OrderPromise.None)]
    [InlineData((int)OrderPromise.Key)]
    [InlineData((int)OrderPromise.Partition)]
    public void The_unchanged_run_passes_under_every_promise(int promise)
    {
        var verdict = new MutableRun((OrderPromise)promise).Judge();

        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(0, verdict.OrderStartPartition + verdict.OrderEndPartition + verdict.OverlapPartition);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_change_is_convicted_of_exactly_its_fields(string name)
    {
        var mutant = ByName[name];
        var run = new MutableRun(mutant.Promise);
        mutant.Change(run);

        var verdict = run.Judge();

        Assert.Equal(mutant.Charged.Order(), verdict.Charges.Select(charge => charge.Field).Order());
        Assert.Equal(mutant.Charged.Length > 0 ? VerdictOutcome.Fail : VerdictOutcome.Pass, verdict.Outcome);
    }

    [Fact]
    public void There_are_more_than_sixty_ways_to_be_convicted() =>
        Assert.True(ByName.Values.Count(mutant => mutant.Charged.Length > 0) > 60, $"{ByName.Values.Count(mutant => mutant.Charged.Length > 0)}");
}
