using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Strategies.Contract;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>
/// The examples, built on the packages, on an emulator of the test's own. A handler that prints leaves no evidence at the services, so it
/// is judged by its lines: every event of the hub is in them, and at the kill none that a checkpoint covers is missing. Queue and container
/// of the other two are judged as every run is, by the verdict from ledger and journal.
/// </summary>
[Collection<PackedExamplesCollection>]
public sealed class ExampleTests(PackedExamples examples)
{
    private const int Events = 2000;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("Handler", "TERM")]
    [InlineData("HostedHandler", "TERM")]
    [InlineData(PackedExamples.FromTemplate, "INT")]
    public async Task A_handler_that_is_killed_and_started_again_has_handled_every_event(string example, string stop)
    {
        await using var emulator = await StartAsync();
        HashSet<(string, long)> handled = [];

        var settings = ExampleSettings.Of(examples.GetProgram(example), emulator);
        await using (var victim = Programs.Start(examples.GetProgram(example), "", settings, byLine: true))
        {
            await HandledLines.ReadAsync(victim, handled, until: 200, Cancellation);
            victim.Kill();
            Assert.Equal(137, (await victim.EndAsync(Cancellation)).ExitCode);
            await HandledLines.ReadAsync(victim, handled, until: int.MaxValue, Cancellation);
        }

        Assert.InRange(handled.Count, 200, Events - 1);
        var stored = GetCheckpoints(emulator);
        Assert.NotEmpty(stored);
        Assert.All(stored, last => Assert.All(Through(last.Value), sequence => Assert.Contains((last.Key, sequence), handled)));

        await using var second = Programs.Start(examples.GetProgram(example), "", settings, byLine: true);
        await HandledLines.ReadAsync(second, handled, until: Events, Cancellation);
        await second.SignalAsync(stop);
        var ended = await second.EndAsync(Cancellation);
        Assert.True(ended.ExitCode == 0, ended.Error);

        await emulator.StopAsync(Cancellation);
        Assert.Equal(Appended(emulator).Order(), handled.Order());
        Assert.Equal(Appended(emulator).GroupBy(one => one.Item1).ToDictionary(part => part.Key, part => part.Max(one => one.Item2)), GetCheckpoints(emulator));
    }

    [Theory]
    [InlineData("OwnStrategy", OrderPromise.Key)]
    [InlineData("OwnSink", OrderPromise.None)]
    public async Task A_strategy_and_a_sink_of_ones_own_that_are_killed_and_started_again_are_judged_clean(string example, OrderPromise promise)
    {
        await using var emulator = await StartAsync();

        await using (var victim = Programs.Start(examples.GetProgram(example), "", emulator.Settings))
        {
            await JournalGrowth.WaitAsync(emulator.Journal, records => records.OfType<CheckpointWritten>().Count() >= 8, Cancellation);
            victim.Kill();
            Assert.Equal(137, (await victim.EndAsync(Cancellation)).ExitCode);
        }

        await using var second = Programs.Start(examples.GetProgram(example), "", emulator.Settings);
        var last = Appended(emulator).GroupBy(one => one.Item1).ToDictionary(part => part.Key, part => part.Max(one => one.Item2));
        await JournalGrowth.WaitAsync(
            emulator.Journal,
            records => StoredCheckpoints.In(records).Count(one => last[one.Key] == one.Value) == last.Count,
            Cancellation
        );
        await second.SignalAsync("TERM");
        var ended = await second.EndAsync(Cancellation);
        Assert.True(ended.ExitCode == 0, ended.Error);

        await emulator.StopAsync(Cancellation);
        var verdict = Earthquakes.Judge(emulator, Earthquakes.Read(emulator), promise);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal((Events, 0L), (verdict.Acknowledged, verdict.Lost));
    }

    [Fact]
    public async Task A_strategy_of_ones_own_runs_in_the_consumer_program_and_keeps_its_contract()
    {
        var assembly = $"{examples.GetProgram("OwnStrategy")}.dll";
        var own = $"--strategy-assembly {assembly} --strategy=by-key --profile none";

        var run = await Programs.ConsumerAsync($"{own} --events 300 --no-metrics", settings: null, Cancellation);
        Assert.True(run.ExitCode == 0, run.Error);
        Assert.StartsWith("strategy    by-key, ", run.Output, StringComparison.Ordinal);
        Assert.Contains("verdict: clean ", run.Output, StringComparison.Ordinal);

        var supervised = await Programs.ConsumerAsync($"supervise {own} --cycles 3", settings: null, Cancellation);
        Assert.True(supervised.ExitCode == 0, supervised.Error);

        var strategy = Assert.Single(StrategyAssembly.Load(assembly));
        foreach (var check in StrategyContract.Names)
        {
            await StrategyContract.RunAsync(check, strategy, cancellationToken: Cancellation);
        }
    }

    [Fact]
    public async Task A_host_that_a_fault_stops_ends_with_1_and_reports_the_reason()
    {
        await using var emulator = await StartAsync();
        var settings = ExampleSettings.Of(examples.GetProgram("HostedHandler"), emulator);
        settings["Orders__EventHubName"] = "nowhere";

        await using var host = Programs.Start(examples.GetProgram("HostedHandler"), "", settings);
        var ended = await host.EndAsync(Cancellation);

        Assert.Equal(1, ended.ExitCode);
        Assert.Contains("'nowhere': processing has ended", ended.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_that_is_configured_wrongly_ends_and_names_each_key()
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Cancellation);
        var settings = ExampleSettings.Of(examples.GetProgram("HostedHandler"), emulator);
        settings["Orders__MaxConcurrency"] = "5000";
        settings["Orders__EventHub"] = "orders";

        await using var host = Programs.Start(examples.GetProgram("HostedHandler"), "", settings);
        var ended = await host.EndAsync(Cancellation);

        Assert.NotEqual(0, ended.ExitCode);
        Assert.Contains("Orders:MaxConcurrency 5000: allowed 1 to 4096", ended.Error, StringComparison.Ordinal);
        Assert.Contains("Orders:EventHub: unknown key", ended.Error, StringComparison.Ordinal);
    }

    private static async Task<EmulatorProcess> StartAsync()
    {
        var emulator = await EmulatorProcess.StartAsync("--profile article --partitions 4", Cancellation);
        var sent = await Programs.SenderAsync($"--count {Events} --keys 40 --ledger {emulator.File("ledger")}", emulator.Settings, Cancellation);
        Assert.True(sent.ExitCode == 0, sent.Error);
        return emulator;
    }

    private static HashSet<(string, long)> Appended(EmulatorProcess emulator) =>
        [.. JournalFile.Open(emulator.Journal).Records.OfType<EventAppended>().Select(one => (one.Partition, one.Sequence))];

    private static IEnumerable<long> Through(long last) => Enumerable.Range(0, (int)last + 1).Select(number => (long)number);

    private static Dictionary<string, long> GetCheckpoints(EmulatorProcess emulator) => StoredCheckpoints.In(JournalFile.Open(emulator.Journal).Records);
}
