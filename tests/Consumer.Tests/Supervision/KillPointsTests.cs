using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Lab.Configuration;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Supervision;

/// <summary>The kill points are described once, with the same words everywhere.</summary>
public sealed class KillPointsTests
{
    [Fact]
    public void Every_kill_point_has_a_code_that_a_user_types_and_a_unique_text()
    {
        Assert.Equal(Enumerable.Range(1, 14).Select(number => $"K{number}"), KillPoints.All.Select(point => point.Code()));
        Assert.All(KillPoints.All, point => Assert.Equal(point, KillPoints.Parse(point.Code())));
        Assert.Equal(
            KillPoints.All.Count,
            KillPoints.All.Select(point => point.Words()).Where(words => words.Length > 20 && words != KillPoint.None.Words()).Distinct().Count()
        );
        Assert.All(["K0", "K15", "K", "k1", "None", "none", "AfterBlobStored", ""], text => Assert.Equal(KillPoint.None, KillPoints.Parse(text)));
    }

    [Fact]
    public async Task The_help_of_supervise_describes_each_kill_point()
    {
        await using var output = new StringWriter();
        var console = new CommandConsole(output, TextWriter.Null, static _ => null);
        var root = new RootCommand("test");
        root.Subcommands.Add(SuperviseCommand.Create(console, static _ => Task.FromResult(0), hasSignals: true));

        await CommandHost.RunAsync(root, ["supervise", "--help"], console, TestContext.Current.CancellationToken);

        var lines = output.ToString().Split('\n');
        Assert.Equal(
            KillPoints.All.Select(point => $"  {point.Code(), -3}  {point.Words()}"),
            lines.SkipWhile(line => line != "Kill points:").Skip(1).TakeWhile(line => line.Length > 0)
        );
    }
}
