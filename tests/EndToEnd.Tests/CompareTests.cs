using EventHubThroughput.CommandLine.Processes;
using EventHubThroughput.Consumer.Results;
using EventHubThroughput.Processing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Strategies side by side in one command, on real processes.</summary>
public sealed class CompareTests
{
    private const string Short = "--profile none --events 4000 --warm-up 100ms --measure 200ms";

    [Theory]
    [EachFamily]
    public async Task Two_strategies_are_compared_on_the_same_events_judged_and_reported(string clients)
    {
        using var folder = new TemporaryFolder();
        var (data, report) = (folder.File("compare.json"), folder.File("compare.html"));

        var run = await Programs.ConsumerAsync(
            $"compare --clients={clients} --strategies baseline,pipelined:degree=8 {Short} --output {data} --report {report}",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("Nothing was lost in any of 3 cells, and no checkpoint was ahead (ledger and journal).", run.Output, StringComparison.Ordinal);
        Assert.Contains($"data: {data}\nreport: {report}\n", run.Error, StringComparison.Ordinal);
        var result = await ReadAsync(data);
        Assert.Equal(["baseline", "pipelined:degree=8", "baseline"], result.Cells.Select(static cell => cell.Label));
        Assert.All(
            result.Cells,
            static cell =>
            {
                Assert.Equal(SafetyVerdict.Clean, cell.Result!.Safety.Verdict);
                Assert.Equal(4000, cell.Result.Safety.Acknowledged);
                Assert.InRange(cell.Result.Safety.Complete!.Value, cell.Result.Throughput.Events, 4000);
                Assert.NotNull(cell.Result.Resources.Emulator.CpuS);
            }
        );
        Assert.StartsWith("<!DOCTYPE html>", await File.ReadAllTextAsync(report, TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Theory]
    [EachFamily]
    public async Task Another_build_is_run_in_the_same_blocks(string clients)
    {
        using var folder = new TemporaryFolder();
        var (build, started) = (Directory.CreateDirectory(folder.File("build")).FullName, folder.File("started"));
        var script = Path.Combine(build, "consumer");
        await File.WriteAllTextAsync(
            script,
            $"#!/bin/sh\necho 1 >> {started}\nexec {ProcessCommand.FileOf(AppContext.BaseDirectory, "consumer")} \"$@\"\n",
            TestContext.Current.CancellationToken
        );
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(script, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        var data = folder.File("compare.json");

        var run = await Programs.ConsumerAsync(
            $"compare --clients={clients} --strategies baseline:build={build},baseline {Short} --output {data}",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Equal([$"baseline:build={build}", "baseline", $"baseline:build={build}"], (await ReadAsync(data)).Cells.Select(static cell => cell.Label));
        Assert.Equal(["1", "1"], await File.ReadAllLinesAsync(started, TestContext.Current.CancellationToken));
    }

    [Theory]
    [EachFamily]
    public async Task A_handler_of_ones_own_is_written_to_beside_the_others(string clients)
    {
        using var folder = new TemporaryFolder();
        var data = folder.File("compare.json");

        var run = await Programs.ConsumerAsync(
            $"compare --clients={clients} --sink-assembly {typeof(OwnHandler).Assembly.Location} --strategies combined,combined:sink=own-handler {Short} --output {data}",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("Not judged: what arrived at own-handler", run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.All(
            (await ReadAsync(data)).Cells,
            static cell =>
            {
                Assert.Equal(SafetyVerdict.Clean, cell.Result!.Safety.Verdict);
                Assert.Equal(cell.Label == "combined" ? [] : ["own-handler"], cell.Result.Safety.Unjudged);
                Assert.Equal(cell.Label != "combined", cell.Result.Stages.ContainsKey("own-handler"));
            }
        );
    }

    [Theory]
    [EachFamily]
    public async Task One_that_was_stopped_is_gone_on_with_by_its_own_result(string clients)
    {
        using var folder = new TemporaryFolder();
        var data = folder.File("compare.json");
        await using (
            var running = Programs.Start("consumer", $"compare --clients={clients} --strategies baseline,combined --repeats 2 {Short} --output {data}", null)
        )
        {
            // Behind the line of the first cell, which is one of six.
            await running.UntilSaidAsync("[1/6]", TestContext.Current.CancellationToken);
            await running.SignalAsync("INT");
            var stopped = await running.EndAsync(TestContext.Current.CancellationToken);
            Assert.True(stopped.ExitCode == 130, stopped.Error + stopped.Output);
            Assert.Contains($"again: consumer compare --resume {data}", stopped.Error, StringComparison.Ordinal);
        }

        Assert.False((await ReadAsync(data)).Comparison.Complete);
        var resumed = await Programs.ConsumerAsync($"compare --resume {data}", null, TestContext.Current.CancellationToken);
        Assert.True(resumed.ExitCode == 0, resumed.Error + resumed.Output);
        var result = await ReadAsync(data);
        Assert.Equal((true, 6), (result.Comparison.Complete, result.Cells.Count));
        var again = await Programs.ConsumerAsync($"compare --resume {data}", null, TestContext.Current.CancellationToken);
        Assert.True(again.Error.Contains("nothing is run", StringComparison.Ordinal), again.Error);
    }

    private static async Task<ComparisonResult> ReadAsync(string path) =>
        ResultJson.Read<ComparisonResult>(await File.ReadAllBytesAsync(path, TestContext.Current.CancellationToken));
}

/// <summary>What this assembly offers to a comparison.</summary>
public static class OwnHandler
{
    /// <summary>A handler that waits for the next turn.</summary>
    public static SinkDescriptor Sink { get; } = SinkDescriptor.Of(static async (_, _) => await Task.Yield(), "own-handler");
}
