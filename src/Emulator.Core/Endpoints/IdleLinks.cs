using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.FaultInjection.Faults;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>
/// Detaches links that were idle for the time of an armed fault: without a transfer or an outcome. The service does so after ten minutes, whether or not the
/// link has credit. One for all connections. Safe for several threads.
/// </summary>
/// <param name="faults">The armed faults.</param>
/// <param name="clock">The clock of the links.</param>
internal sealed class IdleLinks(FaultEngine faults, TimeProvider clock) : IDisposable
{
    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(1);

    private readonly Lock _gate = new();

    // Guarded by the gate.
    private readonly Dictionary<LinkRequest, Entry> _links = [];
    private ITimer? _timer;
    private long _lastNumber;
    private bool _isDisposed;

    /// <summary>Watches a link from its attach until <see cref="ForgetAsync"/>.</summary>
    public void Watch(LinkRequest request, FaultTarget target)
    {
        lock (_gate)
        {
            _links[request] = new Entry(target, ++_lastNumber, clock.GetTimestamp());
        }

        Look();
    }

    /// <summary>The link has ended. Waits for the detach to its peer, if one is being sent.</summary>
    public async ValueTask ForgetAsync(LinkRequest request)
    {
        Entry? entry;
        lock (_gate)
        {
            _links.Remove(request, out entry);
        }

        if (entry is not null)
        {
            await entry.Shutdown;
        }
    }

    /// <summary>Detaches idle links and schedules the next check. Call it when faults are armed.</summary>
    public void Look()
    {
        ArmedFault[] rules = [.. faults.Armed.Where(static fault => fault.Rule.Points.Contains(FaultPoint.IdleLink))];
        lock (_gate)
        {
            if (_isDisposed || (rules.Length == 0 && _timer is null))
            {
                return;
            }

            var next = TimeSpan.MaxValue;
            foreach (var (request, entry) in _links)
            {
                foreach (var rule in rules)
                {
                    var left = entry.IsDetached ? TimeSpan.MaxValue : GetLeft(request, entry, rule);
                    next = left < next ? left : next;
                }
            }

            _timer ??= clock.CreateTimer(static state => ((IdleLinks)state!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            _timer.Change(next == TimeSpan.MaxValue ? Timeout.InfiniteTimeSpan : next, Timeout.InfiniteTimeSpan);
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _timer?.Dispose();
        }
    }

    // The time until the rule applies to the link. A link that the rule has spared is checked again after the rule's time.
    private TimeSpan GetLeft(LinkRequest request, Entry entry, ArmedFault rule)
    {
        if (!rule.Rule.Strikes(FaultPoint.IdleLink, entry.Target))
        {
            return TimeSpan.MaxValue;
        }

        var since = Math.Max(request.Link?.LastTraffic ?? 0, entry.Looked.GetValueOrDefault(rule, entry.Since));
        var left = rule.Rule.Duration - clock.GetElapsedTime(since);
        if (left > TimeSpan.Zero)
        {
            return left < ShortestWait ? ShortestWait : left;
        }

        entry.Looked[rule] = clock.GetTimestamp();
        if (request.Link is not { IsOpen: true } link || !rule.TryStrike(FaultPoint.IdleLink, entry.Target))
        {
            return rule.Rule.Duration;
        }

        try
        {
            faults.Record(rule.Rule, FaultPoint.IdleLink, entry.Target);
        }
        catch (IOException)
        {
            // A fault that cannot be recorded has no effect.
            return rule.Rule.Duration;
        }

        entry.IsDetached = true;
        entry.Shutdown = LinkShutdown.DetachAsync(link, GetError(rule.Rule, request, entry), clock);
        return TimeSpan.MaxValue;
    }

    // The text of the service, with the owner of the link and its idle time.
    private static AmqpError GetError(FaultRule rule, LinkRequest request, Entry entry)
    {
        if (rule.Reason != FaultReason.Idle)
        {
            return rule.Reason.ToError(entry.Target);
        }

        var (kind, part) = request.PeerIsSender ? ("publisher", "AmqpMessagePublisher") : ("consumer", "AmqpMessageConsumer");
        return new AmqpError(
            ErrorCondition.DetachForced,
            $"The link '{request.Attach.Name}' is force detached. Code: {kind}(link{entry.Number}). Details: {part}.IdleTimerExpired: Idle timeout: {rule.Duration:c}."
        );
    }

    private sealed class Entry(FaultTarget target, long number, long since)
    {
        public FaultTarget Target { get; } = target;

        public long Number { get; } = number;

        public long Since { get; } = since;

        /// <summary>When a rule last checked the link and spared it.</summary>
        public Dictionary<ArmedFault, long> Looked { get; } = [];

        public bool IsDetached { get; set; }

        public Task Shutdown { get; set; } = Task.CompletedTask;
    }
}
