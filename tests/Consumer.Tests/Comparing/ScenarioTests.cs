using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Comparing;

/// <summary>A scenario is read before the command line is parsed: the assemblies that it names decide what can be chosen.</summary>
public sealed class ScenarioTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("foreseen-");

    public void Dispose() => folder.Delete(recursive: true);

    [Theory]
    [InlineData("compare")]
    [InlineData("sweep")]
    public void Options_of_a_scenario_are_found(string command)
    {
        var scenario = Save("""{ "strategies": ["mine", "outloop"], "strategy-assembly": "mine.dll", "sink-assembly": "sinks.dll" }""");

        var found = Scenario.NamedIn([command, $"--scenario={scenario}"]);

        Assert.Equal(("mine.dll", ("--sink-assembly", "sinks.dll")), (found?.StrategyAssembly, found?.SinkAssembly));
    }

    [Fact]
    public void A_handler_of_a_scenario_is_found_and_announced()
    {
        var scenario = Save("""{ "handler": "mine.dll" }""");

        var found = Scenario.NamedIn(["compare", $"--scenario={scenario}"])!;

        Assert.Equal(("--handler", "mine.dll"), found.SinkAssembly);
        Assert.Contains("names code that is run: --handler mine.dll", found.NoticeBeside(["compare"]), StringComparison.Ordinal);
    }

    [Fact]
    public void Announced_options_are_the_options_that_run()
    {
        var scenario = Save("""{ "strategies": "outloop", "strategy-assembly": "mine.dll" }""");
        var read = Scenario.Read(scenario);

        Save("""{ "strategies": "combined", "strategy-assembly": "yours.dll" }""");

        Assert.Equal("mine.dll", read.StrategyAssembly);
        Assert.Equal(["--strategies", "outloop"], read.Arguments(["strategies", "strategy-assembly"], ["strategy-assembly"], []));
    }

    [Fact]
    public async Task Output_options_of_a_result_are_not_taken()
    {
        var plan = await MadeUpComparison.PlanAsync("--strategies=baseline,outloop");
        var result = MadeUpComparison.GetResult(plan with { Arguments = ["compare", "--strategy-assembly", "mine.dll"] }, []);
        var file = Path.Combine(folder.FullName, "earlier.json");
        ResultFile.Write(file, result);

        Assert.Null(Scenario.NamedIn(["compare", "--resume", file]));
        Assert.Null(Scenario.NamedIn(["compare", "--resume", file, "--scenario", file]));
    }

    [Fact]
    public void The_code_of_a_scenario_is_named_before_it_runs()
    {
        var scenario = Save("""{ "strategies": ["outloop", "outloop:build=/old:degree=8"], "strategy-assembly": "mine.dll", "sink-assembly": "sinks.dll" }""");

        Assert.Equal(
            $"compare: {scenario} names code that is run: --strategy-assembly mine.dll, --sink-assembly sinks.dll, build=/old",
            Scenario.Read(scenario).NoticeBeside(["compare", "--scenario", scenario])
        );
        Assert.Equal(
            $"sweep: {scenario} names code that is run: --sink-assembly sinks.dll",
            Scenario.Read(scenario).NoticeBeside(["sweep", "--scenario", scenario, "--strategies=outloop", "--strategy-assembly=other.dll"])
        );
        Assert.Null(Scenario.Read(Save("""{ "strategies": "outloop" }""")).NoticeBeside(["compare"]));
    }

    [Theory]
    [InlineData("{ \"strategy-assembly\": ")]
    [InlineData("{ \"strategy-assembly\": 5 }")]
    [InlineData("{ \"strategies\": \"outloop\" }")]
    [InlineData("")]
    public void A_scenario_without_an_assembly_or_unreadable_is_left_to_the_later_reader(string text)
    {
        var file = Save(text);

        Assert.All((string[])["--scenario", "--resume"], option => Assert.Null(Scenario.NamedIn(["compare", option, file])?.StrategyAssembly));
    }

    [Fact]
    public void Other_commands_read_no_scenario()
    {
        var scenario = Save("""{ "strategy-assembly": "mine.dll" }""");

        Assert.Null(Scenario.NamedIn(["run", "--scenario", scenario]));
        Assert.Null(Scenario.NamedIn(["sweep", "--scenario", "servicebus-processor"]));
        Assert.Null(Scenario.NamedIn([]));
    }

    private string Save(string text)
    {
        var file = Path.Combine(folder.FullName, "scenario.json");
        File.WriteAllText(file, text);
        return file;
    }
}
