using System.Threading.Channels;
using EventHubThroughput.Clients.EventHubs;
using Xunit;

namespace EventHubThroughput.Clients.Tests.EventHubs;

/// <summary>How long a partition that was given up has no owner, in virtual time.</summary>
public sealed class HandoverTests
{
    private const int Limit = 60_000;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = Limit)]
    public async Task A_partition_given_back_is_claimed_as_soon_as_its_last_reading_has_ended()
    {
        var bench = new ProcessorBench();
        var claimed = Channel.CreateUnbounded<string>();
        var closing = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var closed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        bench.OnOpen = partition => claimed.Writer.TryWrite(partition);
        bench.OnClose = async _ =>
        {
            closing.TrySetResult();
            await closed.Task;
        };
        using var stop = new CancellationTokenSource();
        var running = bench.Processor(1).RunAsync(stop.Token);
        await claimed.Reader.ReadAsync(Token);

        // Another owner takes the partition and gives it back before the processor looks, which sees both changes together.
        bench.Store.Put("0", "robber");
        bench.Store.Put("0", string.Empty);
        await bench.Clock.UntilTimerIsSetAsync(Token);
        bench.Clock.AdvanceToNextTimer();
        await closing.Task.WaitAsync(Token);
        var looked = bench.Clock.Elapsed;
        await bench.Clock.UntilTimerIsSetAsync(Token);
        closed.SetResult();
        await claimed.Reader.ReadAsync(Token);

        Assert.Equal(looked, bench.Clock.Elapsed);
        Assert.Equal(ProcessorBench.Self, bench.Store.Of("0").OwnerId);
        await stop.CancelAsync();
        await running;
    }

    [Fact(Timeout = Limit)]
    public async Task Cycles_begin_an_interval_apart_however_long_each_takes()
    {
        var bench = new ProcessorBench();
        var looks = Channel.CreateUnbounded<TimeSpan>();
        bench.Store.OnList = () =>
        {
            looks.Writer.TryWrite(bench.Clock.Elapsed);

            // The store takes its time.
            bench.Clock.Advance(ProcessorBench.Interval * 0.4);
        };
        bench.Store.Put("0", "other");
        using var stop = new CancellationTokenSource();
        var running = bench.Processor(1).RunAsync(stop.Token);
        List<TimeSpan> seen = [await looks.Reader.ReadAsync(Token)];
        while (seen.Count < 4)
        {
            await bench.Clock.UntilTimerIsSetAsync(Token);
            bench.Clock.AdvanceToNextTimer();
            seen.Add(await looks.Reader.ReadAsync(Token));
        }

        Assert.All(seen.Zip(seen.Skip(1)), static pair => Assert.Equal(ProcessorBench.Interval, pair.Second - pair.First));
        await stop.CancelAsync();
        await running;
    }

    [Fact(Timeout = Limit)]
    public async Task A_release_just_after_a_look_waits_for_an_interval_and_the_requests_of_the_next_cycle()
    {
        var bench = new ProcessorBench();
        var request = TimeSpan.FromMilliseconds(5);
        var looks = Channel.CreateUnbounded<TimeSpan>();
        var claimed = Channel.CreateUnbounded<TimeSpan>();
        bench.Store.Put("0", "leaving");
        bench.Store.OnList = () => looks.Writer.TryWrite(bench.Clock.Elapsed);
        bench.Store.OnClaimed = _ => claimed.Writer.TryWrite(bench.Clock.Elapsed);
        using var stop = new CancellationTokenSource();
        var running = bench.Processor(1).RunAsync(stop.Token);
        var looked = await looks.Reader.ReadAsync(Token);
        await bench.Clock.UntilTimerIsSetAsync(Token);

        bench.Store.Put("0", string.Empty);
        bench.Store.OnList = () => bench.Clock.Advance(request);
        bench.Clock.AdvanceToNextTimer();

        Assert.Equal(looked + ProcessorBench.Interval + request, await claimed.Reader.ReadAsync(Token));
        await stop.CancelAsync();
        await running;
    }

    [Fact(Timeout = Limit)]
    public async Task A_partition_of_an_owner_that_is_leaving_is_claimed_after_an_interval()
    {
        // Two of four partitions are our share. "leaving" has given one of its two up and is still busy with the other.
        var bench = new ProcessorBench();
        var claimed = Channel.CreateUnbounded<Ownership>();
        var looks = Channel.CreateUnbounded<TimeSpan>();
        bench.Store.Put("0", string.Empty);
        bench.Store.Put("1", string.Empty);
        bench.Store.Put("2", "leaving");
        bench.Store.Put("3", "leaving");
        using var stop = new CancellationTokenSource();
        bench.Store.OnClaimed = ownership => claimed.Writer.TryWrite(ownership);
        var running = bench.Processor(4).RunAsync(stop.Token);
        HashSet<string> first = [(await claimed.Reader.ReadAsync(Token)).PartitionId, (await claimed.Reader.ReadAsync(Token)).PartitionId];
        Assert.Equal(["0", "1"], first.Order(StringComparer.Ordinal));
        await bench.Clock.UntilTimerIsSetAsync(Token);

        bench.Store.Put("3", string.Empty);
        bench.Store.OnList = () => looks.Writer.TryWrite(bench.Clock.Elapsed);
        var released = bench.Clock.Elapsed;
        Ownership? taken = null;
        while (taken is null)
        {
            await bench.Clock.UntilTimerIsSetAsync(Token);
            bench.Clock.AdvanceToNextTimer();
            await looks.Reader.ReadAsync(Token);
            await bench.Clock.UntilTimerIsSetAsync(Token);
            while (claimed.Reader.TryRead(out var one))
            {
                taken = one.PartitionId == "3" ? one : taken;
            }

            Assert.True(bench.Clock.Elapsed <= released + (2 * ProcessorBench.Interval), $"nobody's for {bench.Clock.Elapsed - released}");
        }

        Assert.Equal("leaving", bench.Store.Of("2").OwnerId);
        await stop.CancelAsync();
        await running;
    }
}
