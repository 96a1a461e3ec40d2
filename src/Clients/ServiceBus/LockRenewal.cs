using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>
/// Renews the locks of messages that are being worked on, each at half of its remaining time and up to a limit after it was held. One for
/// any number of messages of a receiver. May be used concurrently.
/// </summary>
/// <remarks>
/// The remaining time is that of the message's <see cref="ReceivedMessage.LockedUntil"/> by our own clock. Only the service's word ends a lock here:
/// clocks that differ make renewals more or less frequent, never a lock lost that still holds.
/// </remarks>
public sealed class LockRenewal : IAsyncDisposable
{
    // Where our clock says that a lock is over, which the service has not said.
    private static readonly TimeSpan ClocksDiffer = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(10);

    private readonly IMessageReceiver receiver;
    private readonly TimeSpan limit;
    private readonly TimeProvider timeProvider;
    private readonly Action<ReceivedMessage, MessagingException>? failed;
    private readonly ILogger log;
    private readonly CancellationTokenSource closing = new();
    private readonly Lock gate = new();

    // Under the gate.
    private readonly HashSet<HeldLock> held = [];
    private readonly HashSet<Task> renewing = [];
    private ITimer? timer;
    private DateTimeOffset standsAt = DateTimeOffset.MaxValue;
    private bool disposed;

    /// <param name="receiver">By which the messages were received. Not disposed here.</param>
    /// <param name="limit">How long after <see cref="Hold"/> a lock is still renewed, up to 1 day. Zero renews none.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="failed">Called after each renewal that failed, from any thread. What it throws is logged. Null reports nothing.</param>
    /// <param name="log">Where what the callbacks throw is logged. Null writes nothing.</param>
    public LockRenewal(
        IMessageReceiver receiver,
        TimeSpan limit,
        TimeProvider timeProvider,
        Action<ReceivedMessage, MessagingException>? failed = null,
        ILogger? log = null
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, MessageProcessorOptions.LongestTime);
        this.receiver = receiver;
        this.limit = limit;
        this.timeProvider = timeProvider;
        this.failed = failed;
        this.log = log ?? NullLogger.Instance;
    }

    /// <summary>Completes when every renewal that is under way now has been answered.</summary>
    internal Task Renewing
    {
        get
        {
            lock (gate)
            {
                return Task.WhenAll([.. renewing]);
            }
        }
    }

    /// <summary>Renews the message's lock from now on, until the answer is disposed.</summary>
    /// <param name="message">The message.</param>
    /// <param name="lost">Called once, if the service says that the lock has gone. Must be short. What it throws is logged.</param>
    public HeldLock Hold(ReceivedMessage message, Action? lost = null)
    {
        ArgumentNullException.ThrowIfNull(message);
        var now = timeProvider.GetUtcNow();
        var one = new HeldLock(this, message, lost)
        {
            LockedUntil = message.LockedUntil,
            LastRenewal = now + limit,
            Due = limit > TimeSpan.Zero && message.LockToken != Guid.Empty ? DueOf(message.LockedUntil, now) : DateTimeOffset.MaxValue,
        };
        lock (gate)
        {
            ObjectDisposedException.ThrowIf(disposed, this);
            if (one.Due <= one.LastRenewal)
            {
                held.Add(one);
                Arm(one.Due, now);
            }
        }

        return one;
    }

    /// <summary>Ends renewing, and waits for what is under way.</summary>
    public async ValueTask DisposeAsync()
    {
        Task[] underWay;
        lock (gate)
        {
            if (disposed)
            {
                return;
            }

            disposed = true;
            timer?.Dispose();
            held.Clear();
            underWay = [.. renewing];
        }

        await closing.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(underWay).ConfigureAwait(false);
        closing.Dispose();
    }

    internal void Release(HeldLock one)
    {
        lock (gate)
        {
            held.Remove(one);
        }
    }

    private static DateTimeOffset DueOf(DateTimeOffset until, DateTimeOffset now)
    {
        var left = until - now;
        return now
            + (
                left <= TimeSpan.Zero ? ClocksDiffer
                : left / 2 > ShortestWait ? left / 2
                : ShortestWait
            );
    }

    // Under the gate.
    private void Arm(DateTimeOffset due, DateTimeOffset now)
    {
        if (due >= standsAt)
        {
            return;
        }

        standsAt = due;
        var after = due > now ? due - now : TimeSpan.Zero;
        timer ??= timeProvider.CreateTimer(static state => ((LockRenewal)state!).RenewDue(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        timer.Change(after, Timeout.InfiniteTimeSpan);
    }

    private void RenewDue()
    {
        List<HeldLock> due = [];
        lock (gate)
        {
            if (disposed)
            {
                return;
            }

            var now = timeProvider.GetUtcNow();
            standsAt = DateTimeOffset.MaxValue;
            due.AddRange(held.Where(one => one.Due <= now));
            foreach (var one in due)
            {
                one.Due = DateTimeOffset.MaxValue;
            }

            if (held.Count > due.Count)
            {
                Arm(held.Min(static one => one.Due), now);
            }

            renewing.RemoveWhere(static task => task.IsCompleted);
            renewing.UnionWith(due.Select(RenewAsync));
        }
    }

    // Never faults.
    private async Task RenewAsync(HeldLock one)
    {
        // Not under the gate of whoever started it.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            Continue(one, await receiver.RenewLockAsync(one.Message, closing.Token).ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (closing.IsCancellationRequested) { }
        catch (Exception exception)
        {
            // A receiver that throws what its contract does not allow has failed all the same.
            var failure = exception as MessagingException ?? new MessagingException(FailureKind.Transient, exception.Message, exception);
            if (!IsHeld(one))
            {
                // Settled meanwhile, so that its lock is rightly gone.
                return;
            }

            GuardedCallback.Run(() => failed?.Invoke(one.Message, failure), nameof(failed), log);
            if (failure.Kind == FailureKind.LockLost)
            {
                Release(one);
                GuardedCallback.Run(one.Lose, "lost", log);
            }
            else
            {
                Continue(one, one.LockedUntil);
            }
        }
    }

    private bool IsHeld(HeldLock one)
    {
        lock (gate)
        {
            return held.Contains(one);
        }
    }

    private void Continue(HeldLock one, DateTimeOffset until)
    {
        lock (gate)
        {
            var now = timeProvider.GetUtcNow();
            one.LockedUntil = until;
            one.Due = DueOf(until, now);
            if (disposed || !held.Contains(one))
            {
                return;
            }

            if (one.Due > one.LastRenewal)
            {
                held.Remove(one);
                return;
            }

            Arm(one.Due, now);
        }
    }
}
