using EventHubThroughput.Clients;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

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

        // Reported once, by the checkpoint that passed it, and not again by the next one.
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
    public async Task An_event_that_a_stop_prevents_from_beginning_stays_above_the_position(string strategy)
    {
        bench.Blob.On(
            4,
            _ =>
            {
                // Another thread requests it. The loop continues with the next event only when it has.
                var requested = bench.Stop.RequestAsync();
                SpinWait.SpinUntil(() => bench.Stop.Requested.IsCancellationRequested);
                return requested;
            }
        );
        var session = bench.Open(strategy);

        await bench.RunAsync(session.ProcessAsync(Some.Batch(10).Events, Cancellation), Cancellation);
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

        await Assert.ThrowsAsync<ProcessingFaultException>(() => bench.RunAsync(session.ProcessAsync(Some.Batch(10).Events, Cancellation), Cancellation));

        Assert.Equal(ProcessingFaultKind.Dependency, Assert.Single(bench.Faults.All).Kind);
        Assert.Equal([3], bench.Checkpoints.Stored);
    }

    public void Dispose() => bench.Dispose();

    private static async Task LiveAsync(Pump.Sessions.PartitionSession session)
    {
        await session.ProcessAsync(Some.Batch(10).Events, Cancellation);
        await session.ProcessAsync(Some.Batch(10, first: 10).Events, Cancellation);
        await session.CloseAsync(Clients.EventHubs.PartitionStopReason.Shutdown, Cancellation);
    }
}
