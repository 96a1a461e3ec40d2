using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

/// <summary>What an ownership reports to its observers, and in which order.</summary>
public sealed class SessionReportTests : IDisposable
{
    private readonly LifeLog log = new();
    private readonly PumpBench bench;

    public SessionReportTests() => bench = new PumpBench { FurtherObserver = log };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Reports_each_batch_its_checkpoint_and_the_end_in_order()
    {
        var pump = bench.Open("baseline");

        await pump.ProcessAsync(Some.Batch(2).Events, Cancellation);
        bench.Clock.Advance(TimeSpan.FromSeconds(3));
        await pump.ProcessAsync(Some.Batch(1, first: 2).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(
            [
                "opened",
                "received 2, waited none",
                "handed over 2 of 2",
                "batch ending",
                "stored 2",
                "ended 2 after 0 s",
                "received 1, waited 3 s",
                "handed over 1 of 1",
                "batch ending",
                "stored 1",
                "ended 1 after 0 s",
                "closing",
                "closed",
            ],
            log.Lines
        );
    }

    [Fact]
    public async Task A_lost_ownership_does_not_report_that_it_closes()
    {
        var pump = bench.Open("baseline");

        await pump.ProcessAsync(Some.Batch(1).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.OwnershipLost, Cancellation);

        Assert.Equal(["ended 1 after 0 s", "lost"], log.Lines.TakeLast(2));
    }

    [Fact]
    public async Task An_ownership_whose_last_checkpoint_is_refused_as_lost_is_lost()
    {
        using var held = new PumpBench
        {
            FurtherObserver = log,
            IsBarrier = false,
            Options = new CheckpointOptions { Events = 1_000 },
        };
        held.Checkpoints.ThenFail(FailureKind.OwnershipLost);
        var pump = held.Open("pipelined");

        await pump.ProcessAsync(Some.Batch(1).Events, Cancellation);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(["closing", "lost"], log.Lines.TakeLast(2));
    }

    [Theory]
    [InlineData(FailureKind.TooLarge, AfterFailure.GivenUp)]
    [InlineData(FailureKind.Unauthorized, AfterFailure.Fatal)]
    public async Task Reports_the_consequence_of_each_failed_try(FailureKind last, AfterFailure consequence)
    {
        bench.Blob.FailOn(0, new MessagingException(FailureKind.Throttled, "busy")).FailOn(0, new MessagingException(last, "refused"));
        var pump = bench.Open("baseline");

        await Assert.ThrowsAsync<ProcessingFaultException>(() => bench.RunAsync(pump.ProcessAsync(Some.Batch(1).Events, Cancellation), Cancellation));
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(["Throttled at 1: TriedAgain", $"{last} at 1: {consequence}"], log.Lines.Where(line => line.Contains(" at 1", StringComparison.Ordinal)));
    }

    public void Dispose() => bench.Dispose();
}
