using System.Reflection;
using System.Reflection.Emit;
using System.Text.Json.Nodes;
using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Processes;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
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
        Assert.Contains("No event was lost in any of 3 cells, and no checkpoint was ahead (ledger and journal).", run.Output, StringComparison.Ordinal);
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
    public async Task Each_cell_sends_to_a_separate_topic(string clients)
    {
        using var folder = new TemporaryFolder();
        var (data, kept) = (folder.File("compare.json"), folder.File("kept"));

        var run = await Programs.ConsumerAsync(
            $"compare --clients={clients} --strategies combined --topic {Short} --output {data} --keep {kept}",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        var result = await ReadAsync(data);
        Assert.True(result.Settings.Topic);
        Assert.All(result.Cells, static cell => Assert.Equal((SafetyVerdict.Clean, 4000), (cell.Result!.Safety.Verdict, cell.Result.Safety.Acknowledged)));
        var journal = await File.ReadAllTextAsync(Path.Combine(kept, "journal.jsonl"), TestContext.Current.CancellationToken);
        Assert.All(
            result.Cells.Index(),
            cell => Assert.Contains($"\"entity\":\"topic-{result.Comparison.Id}-{cell.Index}\"", journal, StringComparison.Ordinal)
        );
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
            $"#!/bin/sh\necho 1 >> {started}\nexec {ProcessCommand.GetFile(AppContext.BaseDirectory, "consumer")} \"$@\"\n",
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
        Assert.Contains("Not verified: the copies at own-handler", run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
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
    public async Task A_handler_alone_is_compared_by_what_it_acknowledges(string clients)
    {
        using var folder = new TemporaryFolder();
        var (data, kept) = (folder.File("compare.json"), folder.File("kept"));

        var run = await Programs.ConsumerAsync(
            $"compare --clients={clients} --handler {typeof(OwnHandler).Assembly.Location} --strategies baseline,pipelined {Short} --keep {kept} --output {data}",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("what the handlers acknowledged, in the consumer's own record", run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        var cells = (await ReadAsync(data)).Cells;
        Assert.All(cells, static cell => Assert.Equal((SafetyVerdict.Clean, true), (cell.Result!.Safety.Verdict, cell.Result.Safety.Complete > 0)));
        Assert.Equal(cells.Count, Directory.GetFiles(kept, "*.acknowledgements").Length);
    }

    [Theory]
    [EachFamily]
    public async Task Stopped_comparison_resumes_from_its_result(string clients)
    {
        using var folder = new TemporaryFolder();
        var data = folder.File("compare.json");
        await using (
            var running = Programs.Start("consumer", $"compare --clients={clients} --strategies baseline,combined --repeats 2 {Short} --output {data}", null)
        )
        {
            // After the line of the first cell, which is one of six.
            await running.WaitForOutputAsync("[1/6]", TestContext.Current.CancellationToken);
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
        Assert.True(again.Error.Contains("no cell is run", StringComparison.Ordinal), again.Error);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_comparison_that_is_stopped_before_its_first_cell_has_ended_keeps_a_file_that_resumes(bool isMeasured)
    {
        using var folder = new TemporaryFolder();
        var (data, kept) = (folder.File("compare.json"), folder.File("kept"));
        await using (
            var running = Programs.Start(
                "consumer",
                $"compare --strategies baseline --profile article --events 4000 --warm-up 1s --measure 60s --keep {kept} --output {data}",
                null
            )
        )
        {
            await running.WaitForOutputAsync("compare: 1 configurations", TestContext.Current.CancellationToken);
            if (isMeasured)
            {
                await WaitForFirstMessageAsync(Path.Combine(kept, "journal.jsonl"), TestContext.Current.CancellationToken);
            }

            await running.SignalAsync("INT");
            var stopped = await running.EndAsync(TestContext.Current.CancellationToken);
            Assert.True(stopped.ExitCode == 130, stopped.Error + stopped.Output);
            Assert.Contains("Interrupted: 0 of 2 cells are finished. Not finished: baseline, baseline.", stopped.Output, StringComparison.Ordinal);
            Assert.Contains($"again: consumer compare --resume {data}", stopped.Error, StringComparison.Ordinal);
        }

        var result = await ReadAsync(data);
        Assert.Equal((false, 0), (result.Comparison.Complete, result.Cells.Count));
    }

    // The first message is written by the first cell.
    private static async Task WaitForFirstMessageAsync(string journal, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(Programs.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        while (new FileInfo(journal) is not { Exists: true, Length: > 0 })
        {
            await look.WaitForNextTickAsync(limit.Token);
        }

        await JournalGrowth.WaitAsync(journal, static records => records.OfType<MessageWritten>().Any(), cancellationToken);
    }

    [Theory]
    [InlineData(false, 2)]
    [InlineData(true, 0)]
    public async Task No_code_that_a_result_names_is_loaded_or_run(bool complete, int code)
    {
        using var folder = new TemporaryFolder();
        var (data, marker, build) = (folder.File("compare.json"), folder.File("marker"), Directory.CreateDirectory(folder.File("build")).FullName);
        var script = Path.Combine(build, "consumer");
        await File.WriteAllTextAsync(script, $"#!/bin/sh\ntouch {marker}\n", TestContext.Current.CancellationToken);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(script, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        var made = await Programs.ConsumerAsync($"compare --strategies baseline {Short} --output {data}", null, TestContext.Current.CancellationToken);
        Assert.True(made.ExitCode == 0, made.Error + made.Output);
        var assembly = folder.File("marking.dll");
        SaveMarking(assembly, marker);
        await ChangeAsync(data, complete, "--strategy-assembly", assembly, "--sink-assembly", assembly, "--strategies", $"baseline:build={build}");

        var resumed = await Programs.ConsumerAsync($"compare --resume {data}", null, TestContext.Current.CancellationToken);

        Assert.True(resumed.ExitCode == code, resumed.Error + resumed.Output);
        Assert.False(File.Exists(marker));
        Assert.Equal(
            !complete,
            resumed.Error.Contains($"need --strategy-assembly {assembly} and --sink-assembly {assembly} and --strategies", StringComparison.Ordinal)
        );

        // The same assembly, where the user names it, leaves the marker.
        await Programs.ConsumerAsync($"compare --resume {data} --strategy-assembly {assembly}", null, TestContext.Current.CancellationToken);
        Assert.True(File.Exists(marker));
    }

    // Its only property writes the marker and holds nothing.
    private static void SaveMarking(string file, string marker)
    {
        var assembly = new PersistedAssemblyBuilder(new AssemblyName("marking"), typeof(object).Assembly);
        var type = assembly.DefineDynamicModule("marking").DefineType("Own", TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed);
        var getter = type.DefineMethod("get_Strategy", MethodAttributes.Public | MethodAttributes.Static, typeof(StrategyDescriptor), []);
        var code = getter.GetILGenerator();
        code.Emit(OpCodes.Ldstr, marker);
        code.Emit(OpCodes.Ldstr, "");
        code.Emit(OpCodes.Call, typeof(File).GetMethod(nameof(File.WriteAllText), [typeof(string), typeof(string)])!);
        code.Emit(OpCodes.Ldnull);
        code.Emit(OpCodes.Ret);
        type.DefineProperty("Strategy", PropertyAttributes.None, typeof(StrategyDescriptor), []).SetGetMethod(getter);
        type.CreateType();
        assembly.Save(file);
    }

    private static async Task ChangeAsync(string data, bool complete, params string[] arguments)
    {
        var result = JsonNode.Parse(await File.ReadAllBytesAsync(data, TestContext.Current.CancellationToken))!;
        result["comparison"]!["complete"] = complete;
        result["comparison"]!["arguments"] = new JsonArray([.. arguments.Prepend("compare").Select(static argument => JsonValue.Create(argument))]);
        await File.WriteAllTextAsync(data, result.ToJsonString(), TestContext.Current.CancellationToken);
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
