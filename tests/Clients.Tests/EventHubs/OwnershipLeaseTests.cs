using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.EventHubs;

/// <summary>What an owner does that was suspended, in virtual time.</summary>
public sealed class OwnershipLeaseTests
{
    private const int Limit = 60_000;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = Limit)]
    public async Task No_renewal_is_sent_while_the_ownership_cannot_have_expired()
    {
        await using var owner = await Owner.StartAsync(Token);
        owner.Bench.Clock.Advance(ProcessorBench.Expiry - TimeSpan.FromSeconds(1) - TimeSpan.FromTicks(1));

        await owner.Owned.EnsureOwnedAsync(Token);
        Assert.Equal(0, owner.Bench.Store.Claims);
    }

    [Fact(Timeout = Limit)]
    public async Task An_ownership_is_renewed_once_for_all_callers_that_wait()
    {
        await using var owner = await Owner.StartAsync(Token);
        owner.Bench.Clock.Advance(ProcessorBench.Expiry);

        await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => owner.Owned.EnsureOwnedAsync(Token).AsTask()));

        Assert.Equal(1, owner.Bench.Store.Claims);
        Assert.False(owner.Owned.Lost.IsCancellationRequested);
    }

    [Fact(Timeout = Limit)]
    public async Task Begins_nothing_when_another_has_the_partition()
    {
        await using var owner = await Owner.StartAsync(Token);
        owner.Bench.Clock.Advance(ProcessorBench.Expiry);
        owner.Bench.Store.Put("0", "other");

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await owner.Owned.EnsureOwnedAsync(Token));

        Assert.True(owner.Owned.Lost.IsCancellationRequested);
        Assert.Equal("other", owner.Bench.Store.Of("0").OwnerId);
    }

    [Fact(Timeout = Limit)]
    public async Task Sees_by_the_wall_clock_that_the_machine_has_slept()
    {
        await using var owner = await Owner.StartAsync(Token);
        owner.Clock.Step = ProcessorBench.Expiry;
        owner.Bench.Store.Put("0", "other");

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await owner.Owned.EnsureOwnedAsync(Token));
    }

    [Fact(Timeout = Limit)]
    public async Task Stores_no_checkpoint_over_the_next_owners_even_without_a_condition()
    {
        await using var owner = await Owner.StartAsync(Token);
        owner.Bench.Clock.Advance(ProcessorBench.Expiry);
        owner.Bench.Store.Put("0", "other");

        var refused = await Assert.ThrowsAsync<MessagingException>(() => owner.Owned.CheckpointAsync(new EventPosition(1, "1"), Token));

        Assert.Equal(FailureKind.OwnershipLost, refused.Kind);
    }

    [Fact(Timeout = Limit)]
    public async Task Waits_while_the_store_does_not_say_whose_the_partition_is()
    {
        await using var owner = await Owner.StartAsync(Token);
        owner.Bench.Clock.Advance(ProcessorBench.Expiry);
        owner.Bench.Store.ClaimFailures.Enqueue(new MessagingException(FailureKind.Transient, "busy"));

        var looking = owner.Owned.EnsureOwnedAsync(Token).AsTask();
        Assert.False(looking.IsCompleted);
        await owner.Bench.Clock.UntilTimerIsSetAsync(Token);
        owner.Bench.Clock.AdvanceToNextTimer();
        await looking;

        Assert.Equal(2, owner.Bench.Store.Claims);
    }

    // One partition that is owned and read, without renewal.
    private sealed class Owner : IAsyncDisposable
    {
        private readonly CancellationTokenSource stop = new();
        private Task running = Task.CompletedTask;

        private Owner()
        {
            Bench = new ProcessorBench();
            Clock = new SteppedClock(Bench.Clock);
        }

        public ProcessorBench Bench { get; }

        public SteppedClock Clock { get; }

        public IOwnedPartition Owned { get; private set; } = null!;

        public static async Task<Owner> StartAsync(CancellationToken cancellationToken)
        {
            var owner = new Owner();
            var opened = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            owner.Bench.OnOpen = _ => opened.SetResult();
            owner.running = new PartitionRun(owner.Bench.Context(owner.Clock), owner.Bench.Store.Put("0", ProcessorBench.Self)).RunAsync(owner.stop.Token);
            await opened.Task.WaitAsync(cancellationToken);
            owner.Owned = owner.Bench.Open["0"];
            return owner;
        }

        public async ValueTask DisposeAsync()
        {
            await stop.CancelAsync();
            await running;
            stop.Dispose();
        }
    }

    // A wall clock that can be set forward while the monotonic one is paused.
    private sealed class SteppedClock(VirtualClock inner) : TimeProvider
    {
        public TimeSpan Step { get; set; }

        public override long TimestampFrequency => inner.TimestampFrequency;

        public override DateTimeOffset GetUtcNow() => inner.GetUtcNow() + Step;

        public override long GetTimestamp() => inner.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            inner.CreateTimer(callback, state, dueTime, period);
    }
}
