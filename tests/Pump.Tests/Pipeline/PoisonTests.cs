using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

/// <summary>What becomes of an event that a sink fails for good, by policy, under every strategy.</summary>
public sealed class PoisonTests : IDisposable
{
    private static readonly MessagingException TooLarge = new(FailureKind.TooLarge, "too large");
    private readonly List<PumpBench> benches = [];

    public static TheoryData<string> Strategies => [.. StrategyCatalog.Safe.Where(strategy => strategy.IsBarrier).Select(strategy => strategy.Name)];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task Block_holds_the_position_before_the_event_and_continues_when_it_heals(string strategy)
    {
        var bench = Bench(PoisonPolicy.Block);
        bench.Blob.FailOn(4, TooLarge, times: 40);

        await bench.RunAsync(LiveAsync(bench.Open(strategy), 10), Cancellation);

        Assert.Equal(9, bench.Checkpoints.Stored[^1]);
        Assert.DoesNotContain(bench.Checkpoints.Stored, position => position is > 3 and < 9);
        Assert.Equal(41, bench.Blob.Begun.Count(sequence => sequence == 4));
        Assert.Equal((0, 1), (bench.Blocked.Count, bench.Blocked.Ever));
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task Block_lets_other_events_of_the_batch_continue()
    {
        var bench = Bench(PoisonPolicy.Block);
        bench.Blob.FailOn(0, TooLarge, times: 1000);
        using var others = new SemaphoreSlim(0);
        for (var sequence = 1; sequence < 10; sequence++)
        {
            bench.Blob.On(
                sequence,
                _ =>
                {
                    others.Release();
                    return Task.CompletedTask;
                }
            );
        }

        var processing = bench.Open("outloop").ProcessAsync(Some.Batch(10).Events, Cancellation);

        for (var sequence = 1; sequence < 10; sequence++)
        {
            await others.WaitAsync(Cancellation);
        }

        await bench.UntilBlocked;
        Assert.Equal(1, bench.Blocked.Count);
        Assert.Empty(bench.Checkpoints.Attempted);

        await bench.Stop.RequestAsync();
        await Assert.ThrowsAsync<ProcessingFaultException>(() => processing);
    }

    [Fact]
    public async Task Block_is_reported_immediately_and_then_once_a_minute()
    {
        var bench = Bench(PoisonPolicy.Block);
        bench.Blob.FailOn(4, TooLarge, times: 30);

        await bench.RunAsync(bench.Open("baseline").ProcessAsync(Some.Batch(5).Events, Cancellation), Cancellation);

        Assert.Equal("blocked for 0 s: event 4 of partition 0 at blob, 1 attempt: too large", bench.BlockedLines[0]);
        Assert.Equal(3, bench.BlockedLines.Count);
        Assert.StartsWith("blocked for 61 s: ", bench.BlockedLines[1], StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task Block_ends_a_stopping_run_with_code_7_and_leaves_the_event_to_the_next(string strategy)
    {
        var bench = Bench(PoisonPolicy.Block);
        bench.ServiceBus.FailOn(4, TooLarge, times: 1000);
        var pump = bench.Open(strategy);
        var processing = pump.ProcessAsync(Some.Batch(10).Events, Cancellation);

        await bench.UntilBlocked;
        await bench.Stop.RequestAsync();

        // What it throws, if anything, is the strategy's affair: the fault or the refusal of an event not begun.
        await Task.WhenAny(processing);
        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        Assert.Equal(
            [new ProcessingFault(ProcessingFaultKind.Poison, "event 4 of partition 0 is still blocked at servicebus after 1 attempt: too large")],
            bench.Faults.All
        );
        Assert.Equal([3L], bench.Checkpoints.Stored);
        Assert.Equal(0, bench.Blocked.Count);
    }

    [Fact]
    public async Task Block_claims_nothing_when_the_partition_is_lost_meanwhile()
    {
        var bench = Bench(PoisonPolicy.Block);
        bench.Blob.FailOn(0, TooLarge, times: 1000);
        var pump = bench.Open("baseline");
        var processing = pump.ProcessAsync(Some.Batch(2).Events, Cancellation);

        await bench.UntilBlocked;
        await bench.Checkpoints.LoseAsync();
        await processing;
        await pump.CloseAsync(PartitionStopReason.OwnershipLost, Cancellation);

        Assert.Empty(bench.Checkpoints.Attempted);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task Block_still_ends_the_run_when_the_service_has_gone()
    {
        var bench = Bench(PoisonPolicy.Block);
        bench.Blob.FailOn(0, TooLarge).FailOn(0, new MessagingException(FailureKind.NotFound, "container 'archive' does not exist"));

        await Assert.ThrowsAsync<ProcessingFaultException>(() =>
            bench.RunAsync(bench.Open("baseline").ProcessAsync(Some.Batch(1).Events, Cancellation), Cancellation)
        );

        Assert.Equal([new ProcessingFault(ProcessingFaultKind.Dependency, "blob: container 'archive' does not exist")], bench.Faults.All);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task Dead_letters_let_the_position_pass_once_the_record_is_stored(string strategy)
    {
        var bench = Bench(PoisonPolicy.DeadLetter);
        bench.ServiceBus.FailOn(4, TooLarge).FailOn(9, TooLarge);

        await bench.RunAsync(LiveAsync(bench.Open(strategy), 10), Cancellation);

        Assert.Equal([9L], bench.Checkpoints.Stored);
        Assert.Equal([(4L, "servicebus", "too large"), (9L, "servicebus", "too large")], bench.DeadLetters.Stored.Order());
        Assert.Equal((8, 2), (bench.Counts.Done, bench.Counts.DeadLettered));
        Assert.Empty(bench.Faults.All);
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public async Task Dead_letters_name_both_sinks_when_both_fail(string strategy)
    {
        var bench = Bench(PoisonPolicy.DeadLetter);
        bench.ServiceBus.FailOn(1, TooLarge);
        bench.Blob.FailOn(1, TooLarge);

        await bench.RunAsync(LiveAsync(bench.Open(strategy), 3), Cancellation);

        Assert.Equal([(1L, "blob"), (1L, "servicebus")], bench.DeadLetters.Stored.Select(static one => (one.Sequence, one.Sink)).Order());
        Assert.Equal((2, 1), (bench.Counts.Done, bench.Counts.DeadLettered));
        Assert.Equal([2L], bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task Dead_letters_that_cannot_be_stored_hold_the_event_until_they_can()
    {
        var bench = Bench(PoisonPolicy.DeadLetter);
        bench.Blob.FailOn(0, TooLarge, times: 1000);
        for (var i = 0; i < 20; i++)
        {
            bench.DeadLetters.Failures.Enqueue(new MessagingException(FailureKind.Throttled, "busy"));
        }

        await bench.RunAsync(bench.Open("baseline").ProcessAsync(Some.Batch(1).Events, Cancellation), Cancellation);

        Assert.Equal(21, bench.DeadLetters.Attempts);
        Assert.Equal("blocked for 0 s: event 0 of partition 0 at blob, 1 attempt: dead letters: busy", bench.BlockedLines[0]);
        Assert.Equal([0L], bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task Dead_letters_without_a_container_end_the_run()
    {
        var bench = Bench(PoisonPolicy.DeadLetter);
        bench.Blob.FailOn(0, TooLarge);
        bench.DeadLetters.Failures.Enqueue(new MessagingException(FailureKind.NotFound, "container 'deadletters' does not exist"));

        await Assert.ThrowsAsync<ProcessingFaultException>(() => bench.Open("baseline").ProcessAsync(Some.Batch(1).Events, Cancellation));

        Assert.Equal([new ProcessingFault(ProcessingFaultKind.Dependency, "dead letters: container 'deadletters' does not exist")], bench.Faults.All);
        Assert.Empty(bench.Checkpoints.Attempted);
    }

    [Fact]
    public async Task Nothing_is_a_dead_letter_while_its_retries_last()
    {
        var bench = Bench(PoisonPolicy.DeadLetter);
        bench.Blob.FailOn(0, new MessagingException(FailureKind.Transient, "internal error"), times: 5);

        await bench.RunAsync(bench.Open("baseline").ProcessAsync(Some.Batch(1).Events, Cancellation), Cancellation);

        Assert.Empty(bench.DeadLetters.Stored);
        Assert.Equal(5, bench.Counts.Retries);
    }

    public void Dispose() => benches.ForEach(bench => bench.Dispose());

    // Until all is done, whether that is at the end of the batch or of the session.
    private static async Task LiveAsync(PartitionSession session, int events)
    {
        await session.ProcessAsync(Some.Batch(events).Events, Cancellation);
        await session.CloseAsync(PartitionStopReason.Shutdown, Cancellation);
    }

    private PumpBench Bench(PoisonPolicy policy)
    {
        var bench = new PumpBench { OnPoison = policy };
        benches.Add(bench);
        return bench;
    }
}
