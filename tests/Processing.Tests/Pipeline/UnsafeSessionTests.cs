using EventHubThroughput.Clients;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Faults;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Processing.Tests.Pipeline;

/// <summary>What a session does for a strategy that is marked unsafe, and only for such a one.</summary>
public sealed class UnsafeSessionTests : IDisposable
{
    private static readonly MessagingException Busy = new(FailureKind.Throttled, "busy");

    private readonly PumpBench bench = new() { Faults = new ProcessingFaults { CountsBreaches = true } };

    public static TheoryData<string> Strategies => [.. StrategyCatalog.All.Where(strategy => strategy.IsUnsafe).Select(strategy => strategy.Name)];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task A_failed_write_is_tried_once_and_the_position_passes_its_event(string strategy)
    {
        bench.Blob.FailOn(4, Busy, times: 1);
        var session = bench.Open(strategy);

        await bench.RunAsync(LiveAsync(session), Cancellation);

        Assert.Equal([9, 19], bench.Checkpoints.Stored);
        Assert.Equal(1, bench.Blob.Begun.Count(sequence => sequence == 4));
        Assert.Empty(bench.Faults.All);

        // Told once, by the checkpoint that passed it, and not again by the next one.
        Assert.Equal(1, bench.Faults.CountedBreaches);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task Where_nothing_fails_no_breach_is_counted(string strategy)
    {
        await bench.RunAsync(LiveAsync(bench.Open(strategy)), Cancellation);

        Assert.Equal([9, 19], bench.Checkpoints.Stored);
        Assert.Equal(0, bench.Faults.CountedBreaches);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task What_a_stop_keeps_from_being_begun_stays_above_the_position(string strategy)
    {
        bench.Blob.On(
            4,
            _ =>
            {
                // Another thread asks for it; the loop goes on to the next event only when it has.
                var requested = bench.Stop.RequestAsync();
                SpinWait.SpinUntil(() => bench.Stop.Requested.IsCancellationRequested);
                return requested;
            }
        );
        var session = bench.Open(strategy);

        await bench.RunAsync(session.ProcessAsync(Some.Batch(10), Cancellation), Cancellation);
        await bench.RunAsync(session.CloseAsync(Clients.EventHubs.PartitionStopReason.Shutdown, Cancellation), Cancellation);

        Assert.Equal(Enumerable.Range(0, 5).Select(sequence => (long)sequence), bench.Blob.Begun);
        Assert.Equal([4], bench.Checkpoints.Stored);
        Assert.Equal(0, bench.Faults.CountedBreaches);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task A_service_that_is_gone_for_every_event_ends_processing_and_passes_none(string strategy)
    {
        bench.Blob.FailOn(4, new MessagingException(FailureKind.NotFound, "no such container"), times: 1);
        var session = bench.Open(strategy);

        await Assert.ThrowsAsync<ProcessingFaultException>(() => bench.RunAsync(session.ProcessAsync(Some.Batch(10), Cancellation), Cancellation));

        Assert.Equal(ProcessingFaultKind.Dependency, Assert.Single(bench.Faults.All).Kind);
        Assert.Equal([3], bench.Checkpoints.Stored);
    }

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
    public void Its_rule_is_refused_to_a_strategy_that_goes_on_over_the_end_of_a_batch()
    {
        var options = new ProcessingOptions { AllowUnsafe = true, Strategy = StrategyCatalog.Find("whenall") with { IsBarrier = false } };

        Assert.Equal(
            ["Strategy whenall: unsafe and without a barrier, but its position passes at batch ends what would still be in flight"],
            options.Problems()
        );
    }

    [Fact]
    public void The_library_refuses_it_unless_it_is_allowed()
    {
        foreach (var strategy in StrategyCatalog.All.Where(strategy => strategy.IsUnsafe))
        {
            var problem = Assert.Single(new ProcessingOptions { Strategy = strategy }.Problems());
            Assert.Equal($"Strategy {strategy.Name}: unsafe, allowed only with AllowUnsafe. {strategy.Unsafe!.Why}", problem);
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

    public void Dispose() => bench.Dispose();

    private static async Task LiveAsync(Processing.Sessions.PartitionSession session)
    {
        await session.ProcessAsync(Some.Batch(10), Cancellation);
        await session.ProcessAsync(Some.Batch(10, first: 10), Cancellation);
        await session.CloseAsync(Clients.EventHubs.PartitionStopReason.Shutdown, Cancellation);
    }
}
