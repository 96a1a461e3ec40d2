using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.ServiceBus;

/// <summary>Locks are renewed at half of their time and no longer than configured, in virtual time.</summary>
public sealed class LockRenewalTests
{
    private const int Limit = 60_000;

    private readonly VirtualClock clock = new();
    private readonly List<FailureKind> failures = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = Limit)]
    public async Task A_lock_is_renewed_at_half_of_its_time_until_the_limit()
    {
        var receiver = new MemoryReceiver(clock);
        await using var renewal = Create(receiver, TimeSpan.FromSeconds(70));
        using var held = renewal.Hold(receiver.Create(1));
        await RunAsync(renewal, TimeSpan.FromMinutes(5));

        Assert.Equal([15, 30, 45, 60], receiver.Renewals.Select(static at => at.TotalSeconds));
        Assert.Equal(clock.GetUtcNow() - TimeSpan.FromMinutes(5) + TimeSpan.FromSeconds(90), held.LockedUntil);
        Assert.False(held.IsLost);
        Assert.Equal(0, clock.PendingTimers);
    }

    [Fact(Timeout = Limit)]
    public async Task Nothing_is_renewed_once_it_is_settled_or_without_a_limit()
    {
        var receiver = new MemoryReceiver(clock);
        await using var renewal = Create(receiver, TimeSpan.FromMinutes(5));
        await using var none = Create(receiver, TimeSpan.Zero);
        var held = renewal.Hold(receiver.Create(1));
        using var unheld = none.Hold(receiver.Create(2));
        await RunAsync(renewal, TimeSpan.FromSeconds(16));
        held.Dispose();
        held.Dispose();
        await RunAsync(renewal, TimeSpan.FromMinutes(5));

        Assert.Equal([15], receiver.Renewals.Select(static at => at.TotalSeconds));
    }

    [Fact(Timeout = Limit)]
    public async Task A_lost_lock_is_reported_once_and_not_renewed_again()
    {
        var receiver = new MemoryReceiver(clock) { OnRenew = static _ => throw new MessagingException(FailureKind.LockLost, "gone") };
        await using var renewal = Create(receiver, TimeSpan.FromMinutes(5));
        var losses = 0;
        using var held = renewal.Hold(receiver.Create(1), () => losses++);
        await RunAsync(renewal, TimeSpan.FromMinutes(5));

        Assert.Equal((1, true, 1), (losses, held.IsLost, receiver.Renewals.Count));
        Assert.Equal([FailureKind.LockLost], failures);
    }

    [Fact(Timeout = Limit)]
    public async Task A_renewal_that_failed_is_tried_again_at_half_of_what_is_left()
    {
        var receiver = new MemoryReceiver(clock);
        var renew = receiver.OnRenew;
        receiver.OnRenew = message => receiver.Renewals.Count < 3 ? throw new MessagingException(FailureKind.Transient, "busy") : renew(message);
        await using var renewal = Create(receiver, TimeSpan.FromSeconds(30));
        using var held = renewal.Hold(receiver.Create(1));
        await RunAsync(renewal, TimeSpan.FromMinutes(1));

        Assert.Equal([15, 22.5, 26.25], receiver.Renewals.Select(static at => at.TotalSeconds));
        Assert.Equal([FailureKind.Transient, FailureKind.Transient], failures);
        Assert.False(held.IsLost);
    }

    [Fact(Timeout = Limit)]
    public async Task Clocks_that_differ_neither_lose_a_lock_nor_renew_it_without_pause()
    {
        // By our clock each lock has expired before it begins.
        var receiver = new MemoryReceiver(clock) { OnRenew = message => message.LockedUntil };
        await using var renewal = Create(receiver, TimeSpan.FromSeconds(30));
        using var held = renewal.Hold(receiver.Create(1) with { LockedUntil = clock.GetUtcNow() - TimeSpan.FromHours(1) });
        await RunAsync(renewal, TimeSpan.FromMinutes(1));

        Assert.Equal([5, 10, 15, 20, 25, 30], receiver.Renewals.Select(static at => at.TotalSeconds));
        Assert.False(held.IsLost);
    }

    [Fact(Timeout = Limit)]
    public async Task A_callback_that_throws_ends_no_renewal()
    {
        var receiver = new MemoryReceiver(clock);
        var renew = receiver.OnRenew;
        receiver.OnRenew = message =>
            message.SequenceNumber == 2 ? throw new MessagingException(FailureKind.LockLost, "gone")
            : receiver.Renewals.Count < 4 ? throw new InvalidOperationException("not a failure of messaging")
            : renew(message);
        await using var renewal = new LockRenewal(receiver, TimeSpan.FromMinutes(1), clock, static (_, _) => throw new InvalidOperationException("losses"));
        using var held = renewal.Hold(receiver.Create(1));
        using var lost = renewal.Hold(receiver.Create(2), static () => throw new InvalidOperationException("losses"));
        await RunAsync(renewal, TimeSpan.FromMinutes(2));

        Assert.True(lost.IsLost);
        Assert.False(held.IsLost);
        Assert.True(held.LockedUntil > clock.GetUtcNow() - TimeSpan.FromMinutes(1), $"{held.LockedUntil}");
    }

    [Fact(Timeout = Limit)]
    public async Task Many_locks_share_one_timer_and_each_keeps_its_time()
    {
        var receiver = new MemoryReceiver(clock);
        await using var renewal = Create(receiver, TimeSpan.FromSeconds(20));
        var locks = new List<HeldLock>();
        for (var second = 0; second < 10; second++)
        {
            locks.Add(renewal.Hold(receiver.Create(second)));
            Assert.Equal(1, clock.PendingTimers);
            clock.Advance(TimeSpan.FromSeconds(1));
        }

        await RunAsync(renewal, TimeSpan.FromMinutes(1));
        locks.ForEach(static one => one.Dispose());

        Assert.Equal(Enumerable.Range(15, 10).Select(static second => (double)second), receiver.Renewals.Select(static at => at.TotalSeconds));
    }

    private LockRenewal Create(MemoryReceiver receiver, TimeSpan limit) => new(receiver, limit, clock, (_, failure) => failures.Add(failure.Kind));

    // Time is paused while a renewal is answered.
    private async Task RunAsync(LockRenewal renewal, TimeSpan time)
    {
        var end = clock.Elapsed + time;
        while (clock.Elapsed < end)
        {
            clock.Advance(TimeSpan.FromMilliseconds(250));
            await renewal.Renewing.WaitAsync(Token);
        }
    }
}
