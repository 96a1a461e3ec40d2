using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;

namespace EventHubThroughput.Load.Tests;

/// <summary>What scripts read of a result.</summary>
public sealed class FigureCommandTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("figures-");

    private string FilePath => Path.Combine(folder.FullName, "r.json");

    [Fact]
    public async Task Prints_what_was_asked_for_a_line_each() =>
        Assert.Equal((0, "100\nclean\n200\n", ""), await FigureAsync("throughput.eventsPerS", "safety.verdict", "resources.consumer.cpuUsPerEvent"));

    [Theory]
    [InlineData("throughput.events.per", "error: throughput.events.per: not in a result\n")]
    [InlineData("throughput.rate", "error: throughput.rate: not in a result\n")]
    [InlineData("time.claimS", "error: time.claimS: not known of this run\n")]
    public async Task A_figure_that_the_result_lacks_is_refused_with_the_reason(string path, string expected) =>
        Assert.Equal((2, "", expected), await FigureAsync(path));

    [Fact]
    public async Task Reads_no_other_file()
    {
        await File.WriteAllTextAsync(FilePath, "{}", TestContext.Current.CancellationToken);

        var (code, output, error) = await RunAsync("safety.verdict");

        Assert.Equal((2, ""), (code, output));
        Assert.StartsWith($"error: {FilePath}: not the result of a run: ", error, StringComparison.Ordinal);
    }

    public void Dispose() => folder.Delete(recursive: true);

    private Task<(int Code, string Output, string Error)> FigureAsync(params string[] paths)
    {
        ResultFile.Write(FilePath, ResultDocument.Of(Reports.Of("outloop"), "1.2.3"));
        return RunAsync(paths);
    }

    private async Task<(int Code, string Output, string Error)> RunAsync(params string[] paths)
    {
        await using var output = new StringWriter();
        await using var error = new StringWriter();
        var console = new CommandConsole(output, error, static _ => null);
        var code = await CommandHost.RunAsync(FigureCommand.Create(console), [FilePath, .. paths], console, TestContext.Current.CancellationToken);
        return (code, output.ToString(), error.ToString());
    }
}
