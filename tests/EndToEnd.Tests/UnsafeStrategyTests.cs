using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>
/// The strategies that are marked unsafe, on real processes: one write that fails once costs an event, and the verdict reports it. Without a failure
/// they are clean, which is why people believe in them.
/// </summary>
public sealed class UnsafeStrategyTests
{
    private const int Events = 60;

    private static readonly string[] Faults =
    [
        """{ "name": "one-send", "at": "messageSend", "do": "refuse", "reason": "busy", "nth": 17 }""",
        """{ "name": "one-upload", "at": "blobWrite", "do": "refuse", "status": 503, "nth": 17 }""",
    ];

    public static TheoryData<string> Unsafe => [.. StrategyCatalog.All.Where(static strategy => strategy.IsUnsafe).Select(static strategy => strategy.Name)];

    public static TheoryData<string, string> UnsafeOfFamilies =>
        [.. from clients in EachFamilyAttribute.Families from strategy in Unsafe select new TheoryDataRow<string, string>(clients, strategy.Data)];

    public static TheoryData<string, string, string> UnsafeUnderFaults =>
        [
            .. from clients in EachFamilyAttribute.Families
            from strategy in Unsafe
            from fault in Faults
            select new TheoryDataRow<string, string, string>(clients, strategy.Data, fault),
        ];

    public static TheoryData<string, string> AllFaults =>
        [.. from clients in EachFamilyAttribute.Families from fault in Faults select new TheoryDataRow<string, string>(clients, fault)];

    [Theory]
    [MemberData(nameof(UnsafeUnderFaults))]
    public async Task A_write_that_fails_once_is_a_lost_event_and_is_convicted(string clients, string strategy, string fault)
    {
        var run = await RunAsync($"--clients={clients} --strategy={strategy} --unsafe", fault);

        Assert.True(run.ExitCode == 3, run.Error + run.Output);
        Assert.Contains("verdict: FAILED (lost 1, first: ", run.Output, StringComparison.Ordinal);
        Assert.Contains("checkpointAhead ", run.Output, StringComparison.Ordinal);

        // The running check saw it as well, and ended nothing. The run is complete, and its code is that of the verdict.
        Assert.Contains($"{Events - 1} of {Events} complete", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("breached 0 times", run.Output, StringComparison.Ordinal);
        Assert.Contains($"{strategy} (unsafe)", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(UnsafeOfFamilies))]
    public async Task Where_nothing_fails_it_is_clean(string clients, string strategy)
    {
        var run = await RunAsync($"--clients={clients} --strategy={strategy} --unsafe", fault: null);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains($"verdict: clean ({Events} of {Events}", run.Output, StringComparison.Ordinal);
        Assert.Contains("breached 0 times", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [EachFamily]
    public async Task A_trigger_gathers_batches_and_checkpoints_after_every_nth_in_spite_of_failures(string clients)
    {
        var trigger = $"--clients={clients} --strategy=functions --unsafe --batch 20 --min-batch 18 --max-wait-ms 300 --checkpoint-batches 2";

        var clean = await RunAsync(trigger, fault: null);
        var convicted = await RunAsync(trigger, Faults[0]);

        // At most four batches, as each except the last has at least 18 events. One checkpoint for two, and one at the end of the backlog.
        Assert.True(clean.ExitCode == 0, clean.Error + clean.Output);
        Assert.Contains(" 2 checkpoints never ahead", clean.Output, StringComparison.Ordinal);
        Assert.True(convicted.ExitCode == 3, convicted.Error + convicted.Output);
        Assert.Contains("verdict: FAILED (lost 1, first: ", convicted.Output, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(AllFaults))]
    public async Task The_same_failure_costs_a_strategy_of_the_others_nothing(string clients, string fault)
    {
        var run = await RunAsync($"--clients={clients} --strategy=combined", fault);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("1 retried", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Unsafe))]
    public async Task Unsafe_strategy_is_refused_without_its_name_and_the_switch(string strategy)
    {
        foreach (var command in new[] { "", "run ", "supervise " })
        {
            var run = await Programs.ConsumerAsync($"{command}--strategy={strategy}", null, TestContext.Current.CancellationToken);

            Assert.Equal((2, ""), (run.ExitCode, run.Output));
            Assert.StartsWith($"error: --strategy {strategy}: unsafe, allowed only with --unsafe. Safe are: baseline, ", run.Error, StringComparison.Ordinal);
        }
    }

    private static async Task<Processes.FinishedProcess> RunAsync(string strategy, string? fault)
    {
        using var folder = new TemporaryFolder();
        var armed = "";
        if (fault is not null)
        {
            var file = folder.File("fault.json");
            await File.WriteAllTextAsync(file, fault, TestContext.Current.CancellationToken);
            armed = $" --faults {file}";
        }

        return await Programs.ConsumerAsync($"{strategy} --profile none --events {Events} --no-metrics{armed}", null, TestContext.Current.CancellationToken);
    }
}
