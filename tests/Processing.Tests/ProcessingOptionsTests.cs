using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Processing.Tests;

/// <summary>Every number and time of the options has bounds, which the refusal names.</summary>
public sealed class ProcessingOptionsTests
{
    private static readonly ProcessingOptions Usual = new();

    public static TheoryData<ProcessingOptions, string> Refused =>
        new()
        {
            { Usual with { DrainLimit = TimeSpan.MaxValue }, "DrainLimit 10675199.02:48:05.4775807: allowed 00:00:00.0010000 to 1.00:00:00" },
            { Usual with { DrainLimit = TimeSpan.Zero }, "DrainLimit 00:00:00: allowed 00:00:00.0010000 to 1.00:00:00" },
            { Usual with { OperationLimit = TimeSpan.FromDays(60) }, "OperationLimit 60.00:00:00: allowed 00:00:00.0010000 to 1.00:00:00" },
            { Usual with { DeliveryLimit = TimeSpan.FromDays(2) }, "DeliveryLimit 2.00:00:00: allowed 00:00:02 to 1.00:00:00" },
            { Usual with { DeliveryLimit = TimeSpan.FromSeconds(1) }, "DeliveryLimit 00:00:01: allowed 00:00:02 to 1.00:00:00" },
            { Usual with { BalancingInterval = TimeSpan.MaxValue }, "BalancingInterval 10675199.02:48:05.4775807: allowed 00:00:00.0010000 to 1.00:00:00" },
            { Usual with { OwnershipExpiry = TimeSpan.FromDays(3) }, "OwnershipExpiry 3.00:00:00: allowed 00:00:00.0010000 to 1.00:00:00" },
            { Usual with { OwnershipExpiry = TimeSpan.FromSeconds(19) }, "OwnershipExpiry 00:00:19: at least twice BalancingInterval 00:00:10" },
            {
                Usual with
                {
                    Checkpoints = new CheckpointOptions { Interval = TimeSpan.MaxValue },
                },
                "Checkpoints.Interval 10675199.02:48:05.4775807: allowed 00:00:00.0010000 to 1.00:00:00"
            },
            { Usual with { Checkpoints = new CheckpointOptions { Events = 0 } }, "Checkpoints.Events 0: allowed 1 to 10000000" },
            { Usual with { Window = int.MaxValue }, "Window 2147483647: allowed 1 to 10000000" },
            { Usual with { Window = 15 }, "Window 15: at least MaxConcurrency 16" },
            { Usual with { ReplayLimit = int.MaxValue }, "ReplayLimit 2147483647: allowed 1 to 100000000" },
            { Usual with { Identifier = "" }, "Identifier '': allowed 1 to 256 characters, unique among the processors of a consumer group" },
            { Usual with { MaxConcurrency = 4097 }, "MaxConcurrency 4097: allowed 1 to 4096" },
            { Usual with { BatchSize = 0 }, "BatchSize 0: allowed 1 to 10000" },
            { Usual with { Prefetch = -1 }, "Prefetch -1: allowed 0 to 10000" },
            { Usual with { Retries = 1001 }, "Retries 1001: allowed 0 to 1000" },
        };

    [Fact]
    public void The_usual_options_and_those_at_their_bounds_are_allowed()
    {
        Assert.Empty(Usual.Problems());
        Assert.Empty(
            (
                Usual with
                {
                    OperationLimit = ProcessingOptions.MostTime,
                    DrainLimit = ProcessingOptions.MostTime,
                    DeliveryLimit = ProcessingOptions.MostTime,
                    OwnershipExpiry = ProcessingOptions.MostTime,
                    BalancingInterval = ProcessingOptions.MostTime / 2,
                    Window = ProcessingOptions.MostWindow,
                }
            ).Problems()
        );
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void An_option_out_of_its_bounds_is_refused_in_one_line(ProcessingOptions options, string problem) => Assert.Equal([problem], options.Problems());

    [Fact]
    public void The_rules_of_a_trigger_follow_from_its_own_options()
    {
        var options = new ProcessingOptions
        {
            Strategy = StrategyCatalog.Find("functions"),
            AllowUnsafe = true,
            BatchSize = 10,
            StrategyOptions = new Dictionary<string, int> { ["min-batch"] = 4, ["checkpoint-batches"] = 5 },
        };

        Assert.Empty(options.Problems());

        // Four batches that are not stored, and the one that is under way.
        Assert.Equal((10, 50), (options.Limits.Window, options.Limits.Replay));
        Assert.Equal(["StrategyOptions 'min-batch' 4: at most BatchSize 3"], (options with { BatchSize = 3 }).Problems());
    }

    [Fact]
    public void A_strategy_without_a_barrier_is_refused_when_it_checkpoints_at_batch_ends()
    {
        var options = new ProcessingOptions { AllowUnsafe = true, Strategy = StrategyCatalog.Find("whenall") with { IsBarrier = false } };

        Assert.Equal(["Strategy whenall: unsafe and without a barrier, so its position would pass events in flight at a batch end"], options.Problems());
    }

    [Fact]
    public void The_library_refuses_it_unless_it_is_allowed()
    {
        foreach (var strategy in StrategyCatalog.All.Where(strategy => strategy.IsUnsafe))
        {
            var problem = Assert.Single(new ProcessingOptions { Strategy = strategy }.Problems());
            Assert.Equal($"Strategy {strategy.Name}: loses events and is refused. {strategy.Unsafe!.Why}", problem);
            Assert.Empty(new ProcessingOptions { Strategy = strategy, AllowUnsafe = true }.Problems());
            Assert.NotEmpty(
                new ProcessingOptions
                {
                    Strategy = strategy,
                    AllowUnsafe = true,
                    Checkpoints = new CheckpointOptions { Events = 5 },
                }.Problems()
            );
        }
    }

    [Fact]
    public void A_partition_without_events_has_no_last_one()
    {
        Assert.Equal(99, EventHubProcessing.GetLast(new PartitionProperties("0", 0, 99, "", IsEmpty: false)));
        Assert.Equal(-1, EventHubProcessing.GetLast(new PartitionProperties("0", 0, 99, "", IsEmpty: true)));
    }
}
