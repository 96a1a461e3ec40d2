using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Reporting;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Comparing;

/// <summary>Assemblies are found before a command line is parsed, wherever they are named.</summary>
public sealed class ForeseenArgumentsTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("foreseen-");

    public void Dispose() => folder.Delete(recursive: true);

    [Theory]
    [InlineData("compare")]
    [InlineData("sweep")]
    public void Those_of_a_scenario_are_found(string command)
    {
        var scenario = Save("""{ "strategies": ["mine", "outloop"], "strategy-assembly": "mine.dll", "sink-assembly": "sinks.dll" }""");

        var found = ForeseenArguments.Of([command, $"--scenario={scenario}"]);

        Assert.Equal(("mine.dll", "sinks.dll"), (StrategyAssembly.NamedIn(found), SinkAssembly.NamedIn(found)));
    }

    [Fact]
    public void What_the_command_line_says_counts()
    {
        var scenario = Save("""{ "strategy-assembly": "mine.dll" }""");

        Assert.Equal("yours.dll", StrategyAssembly.NamedIn(ForeseenArguments.Of(["compare", "--scenario", scenario, "--strategy-assembly", "yours.dll"])));
    }

    [Fact]
    public async Task Those_that_a_result_names_are_not_taken()
    {
        var plan = await MadeUpComparison.PlanAsync("--strategies=baseline,outloop");
        var result = MadeUpComparison.ResultOf(plan with { Arguments = ["compare", "--strategy-assembly", "mine.dll"] }, []);
        var file = Path.Combine(folder.FullName, "earlier.json");
        ResultFile.Write(file, result);

        Assert.Null(StrategyAssembly.NamedIn(ForeseenArguments.Of(["compare", "--resume", file])));
        Assert.Null(ForeseenArguments.NoticeOf(["compare", "--resume", file]));
        Assert.Equal("mine.dll", StrategyAssembly.NamedIn(ForeseenArguments.Of(["compare", "--resume", file, "--strategy-assembly=mine.dll"])));
    }

    [Fact]
    public void The_code_of_a_scenario_is_named_before_it_runs()
    {
        var scenario = Save("""{ "strategies": ["outloop", "outloop:build=/old:degree=8"], "strategy-assembly": "mine.dll", "sink-assembly": "sinks.dll" }""");

        Assert.Equal(
            $"compare: {scenario} names code that is run: --strategy-assembly mine.dll, --sink-assembly sinks.dll, build=/old",
            ForeseenArguments.NoticeOf(["compare", "--scenario", scenario])
        );
        Assert.Equal(
            $"sweep: {scenario} names code that is run: --sink-assembly sinks.dll",
            ForeseenArguments.NoticeOf(["sweep", "--scenario", scenario, "--strategies=outloop", "--strategy-assembly=other.dll"])
        );
        Assert.Null(ForeseenArguments.NoticeOf(["compare", "--scenario", Save("""{ "strategies": "outloop" }""")]));
    }

    [Theory]
    [InlineData("{ \"strategy-assembly\": ")]
    [InlineData("{ \"strategy-assembly\": 5 }")]
    [InlineData("{ \"strategies\": \"outloop\" }")]
    [InlineData("")]
    public void What_names_none_or_cannot_be_read_is_left_to_who_reads_it_for_good(string text)
    {
        var file = Save(text);

        Assert.All((string[])["--scenario", "--resume"], option => Assert.Null(StrategyAssembly.NamedIn(ForeseenArguments.Of(["compare", option, file]))));
    }

    [Fact]
    public void Other_commands_read_no_scenario()
    {
        var scenario = Save("""{ "strategy-assembly": "mine.dll" }""");

        Assert.Null(StrategyAssembly.NamedIn(ForeseenArguments.Of(["run", "--scenario", scenario])));
        Assert.Null(StrategyAssembly.NamedIn(ForeseenArguments.Of(["sweep", "--scenario", "servicebus-processor"])));
        Assert.Empty(ForeseenArguments.Of([]));
    }

    private string Save(string text)
    {
        var file = Path.Combine(folder.FullName, "scenario.json");
        File.WriteAllText(file, text);
        return file;
    }
}
