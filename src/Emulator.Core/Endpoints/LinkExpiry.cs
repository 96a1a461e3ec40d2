using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Logs;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>
/// Detaches the links of one connection whose token has expired, as the service does. A token that is renewed in time keeps them. Safe for several threads.
/// </summary>
internal sealed class LinkExpiry(ConnectionGrants grants, TimeProvider clock, ILogger log)
{
    // Timers do not support waits longer than some weeks.
    private static readonly TimeSpan LongestWait = TimeSpan.FromDays(1);

    // An expiry has whole seconds. A check at that exact moment may find the token still valid.
    private static readonly TimeSpan Margin = TimeSpan.FromMilliseconds(10);

    private readonly Lock _gate = new();

    // Guarded by the gate.
    private readonly Dictionary<LinkRequest, Entry> _links = [];
    private ITimer? _timer;

    /// <summary>Watches a link from its attach until <see cref="ForgetAsync"/>.</summary>
    public void Watch(LinkRequest request, string path)
    {
        lock (_gate)
        {
            _links[request] = new Entry(path);
            Schedule();
        }
    }

    /// <summary>The link has ended. Waits for the detach to its peer, if one is being sent.</summary>
    public async ValueTask ForgetAsync(LinkRequest request)
    {
        Entry? entry;
        lock (_gate)
        {
            _links.Remove(request, out entry);
            if (_links.Count == 0)
            {
                _timer?.Dispose();
                _timer = null;
            }
        }

        if (entry is not null)
        {
            await entry.Shutdown;
        }
    }

    // Called under the gate.
    private void Schedule()
    {
        var now = clock.GetUtcNow();
        var next = TimeSpan.MaxValue;
        foreach (var entry in _links.Values)
        {
            if (grants.GetExpiry(entry.Path) is { } expiry && !entry.IsExpired)
            {
                var left = expiry - now + Margin;
                next = left < next ? left : next;
            }
        }

        if (next == TimeSpan.MaxValue)
        {
            return;
        }

        var due =
            next < Margin ? Margin
            : next > LongestWait ? LongestWait
            : next;
        _timer ??= clock.CreateTimer(static state => ((LinkExpiry)state!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(due, Timeout.InfiniteTimeSpan);
    }

    private void Look()
    {
        var now = clock.GetUtcNow();
        lock (_gate)
        {
            foreach (var (request, entry) in _links)
            {
                // An attach that is not answered yet is checked again.
                if (request.Link is { } link && !entry.IsExpired && grants.GetExpiry(entry.Path) is { } expiry && expiry <= now)
                {
                    entry.IsExpired = true;
                    EmulatorLog.TokenExpired(log, entry.Path);
                    entry.Shutdown = LinkShutdown.DetachAsync(
                        link,
                        new AmqpError(ErrorCondition.UnauthorizedAccess, TokenRefusal.GetText(SasVerdict.Expired, expiry)),
                        clock
                    );
                }
            }

            Schedule();
        }
    }

    private sealed class Entry(string path)
    {
        public string Path { get; } = path;

        public bool IsExpired { get; set; }

        public Task Shutdown { get; set; } = Task.CompletedTask;
    }
}
