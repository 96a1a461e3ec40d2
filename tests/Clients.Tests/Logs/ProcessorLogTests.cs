using System.Threading.Channels;
using EventHubThroughput.Clients.Tests.EventHubs;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Logging;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Logs;

/// <summary>What a processor swallows or loses, in the log: in virtual time, its ownerships in memory.</summary>
public sealed class ProcessorLogTests
{
    private const int Limit = 60_000;

    private readonly ProcessorBench bench = new();
    private readonly Channel<string> opened = Channel.CreateUnbounded<string>();

    public ProcessorLogTests() => bench.OnOpen = partition => opened.Writer.TryWrite(partition);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static MessagingException Busy => new(FailureKind.Transient, "busy");

    [Fact(Timeout = Limit)]
    public async Task An_ownership_that_is_taken()
    {
        using var stop = new CancellationTokenSource();
        var running = await StartAsync(stop);

        // The robber renews it at each look, so that it never expires here, however far the clock is moved meanwhile.
        bench.Store.OnList = () => bench.Store.Put("0", "robber");
        await AdvanceUntilAsync("OwnershipLost");
        await AdvanceUntilAsync("ReadingEnded");
        await stop.CancelAsync();
        await running;
        Assert.Single(bench.Log.Of("Claimed"));
        Assert.Equal("partition 0: lost, its ownership has been taken", Assert.Single(bench.Log.Of("OwnershipLost")).Message);
        Assert.Equal("partition 0: reading has ended: Lost", Assert.Single(bench.Log.Of("ReadingEnded")).Message);
    }

    [Fact(Timeout = Limit)]
    public async Task A_claim_a_renewal_and_a_giving_up_that_the_store_does_not_answer()
    {
        using var stop = new CancellationTokenSource();
        bench.Store.ClaimFailures.Enqueue(Busy);
        var running = bench.Processor(1).RunAsync(stop.Token);
        await AdvanceUntilAsync("ClaimFailed");
        await AdvanceUntilAsync("Claimed");
        bench.Store.ClaimFailures.Enqueue(Busy);
        await AdvanceUntilAsync("RenewalFailed");
        bench.Store.GivingUpFailure = Busy;
        await stop.CancelAsync();
        await running;
        Assert.All(
            (string[])["ClaimFailed", "RenewalFailed", "NotGivenUp"],
            name =>
            {
                var line = Assert.Single(bench.Log.Of(name));
                Assert.Equal(LogLevel.Warning, line.Level);
                Assert.IsType<MessagingException>(line.Exception);
            }
        );
    }

    [Fact(Timeout = Limit)]
    public async Task A_cycle_whose_store_does_not_answer()
    {
        using var stop = new CancellationTokenSource();
        var running = await StartAsync(stop);
        var failed = false;
        bench.Store.OnList = () =>
        {
            if (!failed)
            {
                failed = true;
                throw Busy;
            }
        };
        await AdvanceUntilAsync("CycleFailed");
        await stop.CancelAsync();
        await running;
        Assert.Equal("'self': balancing failed, the next cycle tries again", Assert.Single(bench.Log.Of("CycleFailed")).Message);
    }

    [Fact(Timeout = Limit)]
    public async Task The_failure_that_ends_a_processor_and_a_further_one_are_logged()
    {
        var (first, second) = (new InvalidOperationException("first"), new InvalidOperationException("second"));
        using var stop = new CancellationTokenSource();
        bench.OnClose = _ => throw second;
        var running = await StartAsync(stop);
        bench.Store.OnList = () => throw first;
        await AdvanceUntilAsync("ProcessorFailed");
        Assert.Same(first, await Assert.ThrowsAsync<InvalidOperationException>(() => running));
        Assert.Same(first, Assert.Single(bench.Log.Of("ProcessorFailed")).Exception);
        Assert.Same(second, Assert.Single(bench.Log.Of("FurtherFailure")).Exception);
    }

    private async Task<Task> StartAsync(CancellationTokenSource stop)
    {
        var running = bench.Processor(1).RunAsync(stop.Token);
        await opened.Reader.ReadAsync(Token);
        return running;
    }

    private Task AdvanceUntilAsync(string name) => bench.Clock.AdvanceUntilEndedAsync(bench.Log.FirstAsync(name, Token), Token);
}
