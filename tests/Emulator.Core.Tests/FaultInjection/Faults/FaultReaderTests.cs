using System.Text;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection.Faults;

public sealed class FaultReaderTests
{
    [Fact]
    public void Every_known_fault_is_possible_and_named_once()
    {
        Assert.Equal(FaultCatalogue.Names.Count, FaultCatalogue.Names.Distinct().Count());
        Assert.All(
            FaultCatalogue.All,
            static fault => Assert.All(fault.Rule.Points, point => Assert.Contains(fault.Rule.Action, FaultMatrix.ActionsAt(point)))
        );
    }

    [Theory]
    [InlineData("F3")]
    [InlineData("F6")]
    [InlineData("F7")]
    [InlineData("F8")]
    [InlineData("F8b")]
    [InlineData("F9")]
    [InlineData("F10-3")]
    [InlineData("F11")]
    [InlineData("F12")]
    [InlineData("F13")]
    [InlineData("F14")]
    [InlineData("F16")]
    [InlineData("F17")]
    [InlineData("F18")]
    [InlineData("F24")]
    [InlineData("F25")]
    [InlineData("F28")]
    [InlineData("F37")]
    [InlineData("F38")]
    public void Has_the_rows_of_the_matrix_that_an_emulator_can_inject(string name) => Assert.Equal(name, Assert.Single(FaultReader.Of(name)).Name);

    [Fact]
    public void A_known_fault_may_be_changed()
    {
        var rule = Assert.Single(Read("""{"name":"F11","every":7,"entity":"queue","limit":3}"""));
        Assert.Equal(FaultCatalogue.Named("F11") with { Every = 7, Entity = "queue", Limit = 3 }, rule);
    }

    [Fact]
    public void Several_faults_are_read_from_a_list()
    {
        var rules = Read("""{"faults":[{"name":"F14"},{"name":"slow","at":["blobRead","blobList"],"do":"delay","ms":20,"probability":0.5}]}""");
        Assert.Equal(["F14", "slow"], rules.Select(static rule => rule.Name));
        Assert.Equal([FaultPoint.BlobRead, FaultPoint.BlobList], rules[1].Points);
    }

    [Fact]
    public void All_problems_are_listed_together()
    {
        var refusal = Assert.Throws<UsageException>(() =>
            Read(
                """
                {"faults":[
                  {"name":"F99"},
                  {"name":"a","at":"messageSent","do":"refuse"},
                  {"name":"b","at":"eventDeliver","do":"refuse","probability":1.5},
                  {"name":"c","do":"delay","nht":3},
                  {"name":"d","at":"connect","do":"slow","fromSeconds":3,"toSeconds":2},
                  {"name":"e","at":"attach","do":"refuse","reason":"bad"}]}
                """
            )
        );
        Assert.Contains(
            refusal.Problems,
            static problem => problem.StartsWith("body:2: 'faults[0].name' 'F99': unknown, did you mean 'F9'? Known: F3, F6, ", StringComparison.Ordinal)
        );
        Assert.Contains(
            refusal.Problems,
            static problem =>
                problem.StartsWith("body:3: 'faults[1].at' 'messageSent': unknown, did you mean 'messageSend'? Known: connect, ", StringComparison.Ordinal)
        );
        Assert.Contains("body:4: 'faults[2].probability' 1.5: allowed 0 to 1", refusal.Problems);
        Assert.Contains(
            "body:4: 'faults[2]': 'refuse' is not possible at 'eventDeliver'. Possible: drop, detach, delay, duplicate, corrupt, steal",
            refusal.Problems
        );
        Assert.Contains("body:5: 'faults[3].at': missing", refusal.Problems);
        Assert.Contains("body:5: 'faults[3]': 'delay' needs 'ms'", refusal.Problems);
        Assert.Contains("body:5: 'faults[3].nht': unknown, did you mean 'nth'?", refusal.Problems);
        Assert.Contains("body:6: 'faults[4]': 'toSeconds' is not after 'fromSeconds'", refusal.Problems);
        Assert.Contains("body:6: 'faults[4]': 'slow' needs 'bytesPerSecond'", refusal.Problems);
        Assert.Contains(refusal.Problems, static problem => problem.StartsWith("body:7: 'faults[5].reason' 'bad': unknown", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("messageSend", "\"duplicate\",\"ms\":5", "'ms' has no effect on 'duplicate'")]
    [InlineData("messageSend", "\"delay\",\"ms\":5,\"reason\":\"busy\"", "'reason' has no effect on 'delay'")]
    [InlineData("messageSend", "\"refuse\",\"afterBytes\":5", "'afterBytes' has no effect on 'refuse'")]
    [InlineData("storageClock", "\"skew\"", "'skew' needs 'skewSeconds'")]
    [InlineData("checkpointWrite", "\"corrupt\"", "'corrupt' is not possible at 'checkpointWrite'. Possible: refuse, drop, delay, blackHole, loseAnswer")]
    public void A_rule_without_an_effect_is_refused(string point, string action, string problem) =>
        Assert.Equal(
            $"body:1: {problem}",
            Assert.Single(Assert.Throws<UsageException>(() => Read($$"""{"name":"own","at":"{{point}}","do":{{action}}}""")).Problems)
        );

    [Theory]
    [InlineData("[],\"do\":\"refuse\"", "body:1: 'at': has no point")]
    [InlineData("\"messageSend\",\"do\":\"explode\",\"ms\":5", "body:1: 'do' 'explode': unknown. Known: refuse, ")]
    public void A_fault_without_place_or_action_is_refused_for_that_alone(string rest, string problem) =>
        Assert.StartsWith(
            problem,
            Assert.Single(Assert.Throws<UsageException>(() => Read($$"""{"name":"own","at":{{rest}}}""")).Problems),
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData("\"probability\":0.5", "probability")]
    [InlineData("\"every\":2", "every")]
    [InlineData("\"nth\":2", "nth")]
    [InlineData("\"limit\":2", "limit")]
    [InlineData("\"service\":\"blobs\"", "service")]
    [InlineData("\"entity\":\"x\"", "entity")]
    public void A_clock_skew_refuses_a_target_and_a_probability(string member, string name)
    {
        var refusal = Assert.Throws<UsageException>(() => Read($$"""{"name":"F28",{{member}}}"""));
        Assert.Contains($"'{name}' has no effect on 'skew'", Assert.Single(refusal.Problems), StringComparison.Ordinal);
        Assert.Equal(2, Assert.Single(Read("""{"name":"F28","fromSeconds":2}""")).FromSeconds);
    }

    [Fact]
    public void An_unknown_name_lists_those_that_are_known()
    {
        Assert.Null(FaultReader.Problem("--faults", "F11,F17-all,mine.json"));
        Assert.StartsWith(
            "--faults 'F17-al': unknown, did you mean 'F17-all'? Known: F3, F6,",
            FaultReader.Problem("--faults", "F11,F17-al"),
            StringComparison.Ordinal
        );
    }

    private static IReadOnlyList<FaultRule> Read(string json) => FaultReader.Read(SettingsDocument.Parse("body", Encoding.UTF8.GetBytes(json)));
}
