using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>
/// Renews the locks of messages that are being handled. Each is renewed at half of its remaining time, up to a limit after it was held. One instance serves
/// any number of messages of a receiver. May be used concurrently.
/// </summary>
/// <remarks>
/// The remaining time is that of the message's <see cref="ReceivedMessage.LockedUntil"/> by our own clock. Only an answer of the service ends a lock here. If
/// the clocks differ, renewals are more or less frequent, but no valid lock is given up.
/// </remarks>
public sealed class LockRenewal : IAsyncDisposable
{
    // The time to the next renewal if our clock shows that a lock has expired and the service has not reported that.
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

    /// <param name="receiver">The receiver of the messages. It is not disposed of here.</param>
    /// <param name="limit">How long after <see cref="Hold"/> a lock is still renewed, up to 1 day. Zero renews none.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="failed">Called after each failed renewal, from any thread. What it throws is logged. Null reports nothing.</param>
    /// <param name="log">Logs what the callbacks throw. Null writes nothing.</param>
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

    /// <summary>Renews the message's lock from now on, until the result is disposed of.</summary>
    /// <param name="message">The message.</param>
    /// <param name="lost">Called once, if the service reports that the lock is gone. Must be short. What it throws is logged.</param>
    public HeldLock Hold(ReceivedMessage message, Action? lost = null)
    {
        ArgumentNullException.ThrowIfNull(message);
        var now = timeProvider.GetUtcNow();
        var one = new HeldLock(this, message, lost)
        {
            LockedUntil = message.LockedUntil,
            LastRenewal = now + limit,
            Due = limit > TimeSpan.Zero && message.LockToken != Guid.Empty ? GetDue(message.LockedUntil, now) : DateTimeOffset.MaxValue,
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

    /// <summary>Stops renewing, and waits for renewals under way.</summary>
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

    private static DateTimeOffset GetDue(DateTimeOffset until, DateTimeOffset now)
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
        // Not under the gate of the caller.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            Continue(one, await receiver.RenewLockAsync(one.Message, closing.Token).ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (closing.IsCancellationRequested) { }
        catch (Exception exception)
        {
            // An exception that the contract of a receiver does not allow is a failure as well.
            var failure = exception as MessagingException ?? new MessagingException(FailureKind.Transient, exception.Message, exception);
            if (!IsHeld(one))
            {
                // Settled in the meantime, so the lock is gone as expected.
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
            one.Due = GetDue(until, now);
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
