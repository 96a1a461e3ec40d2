using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Embedded;

/// <summary>The commands that start an emulator have an option for how long it may take.</summary>
public sealed class EmulatorStartTests
{
    [Fact]
    public async Task Comparisons_and_sweeps_hand_the_limit_on()
    {
        Assert.Equal(TimeSpan.FromMinutes(1), (await MadeUpComparison.PlanAsync()).Load.StartLimit);
        Assert.Equal(TimeSpan.FromMinutes(5), (await MadeUpComparison.PlanAsync("--start-limit=5m")).Load.StartLimit);
        Assert.Equal(TimeSpan.FromMinutes(5), (await MadeUpComparison.PlanAsync(ComparisonForm.Sweep, "--start-limit=5m")).Load.StartLimit);
    }

    [Fact]
    public async Task Supervised_consumers_have_it_too()
    {
        SupervisionPlan? plan = null;
        await using var error = new StringWriter();
        var console = new CommandConsole(TextWriter.Null, error, static _ => null);
        var root = new RootCommand("test");
        root.Subcommands.Add(
            SuperviseCommand.Create(
                console,
                found =>
                {
                    plan = found;
                    return Task.FromResult(0);
                },
                hasSignals: true
            )
        );

        var code = await CommandHost.RunAsync(root, ["supervise", "--start-limit=2m"], console, TestContext.Current.CancellationToken);

        Assert.Equal((0, ""), (code, error.ToString()));
        Assert.Equal(TimeSpan.FromMinutes(2), plan!.Options.Load!.StartLimit);
    }
}
