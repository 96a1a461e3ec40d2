using EventHubThroughput.Testing;

namespace EventHubThroughput.Pump.Tests.Accepting;

/// <summary>A pump of texts under a clock, and what becomes of them.</summary>
internal sealed class AcceptBench(VirtualClock clock) : IAsyncDisposable
{
    private readonly List<IAsyncDisposable> owned = [];
    private int refused;

    /// <summary>How many calls of checkpoint functions fail before one succeeds.</summary>
    public int RefusedCheckpoints { get; init; }

    /// <summary>Each event and when its handler began, in milliseconds.</summary>
    public Recorded<string> Begun { get; } = [];

    /// <summary>The events whose handlers ended well.</summary>
    public Recorded<string> Ended { get; } = [];

    /// <summary>The events at which checkpoints were stored.</summary>
    public Recorded<string> Stored { get; } = [];

    public Recorded<EventPumpFault> Faults { get; } = [];

    public EventPumpOptions With(EventPumpOptions options) => options with { TimeProvider = clock, OnFault = Faults.Add };

    public EventPump<string> Own(EventPump<string> pump)
    {
        owned.Add(pump);
        return pump;
    }

    public EventPump<string> InOrder(EventPumpOptions options, Func<string, CancellationToken, ValueTask> handler) =>
        Own(EventPump.InOrder(Recording(handler), With(options)));

    public EventPump<string> Unordered(int concurrency, EventPumpOptions options, Func<string, CancellationToken, ValueTask>? handler = null) =>
        Own(EventPump.Unordered(concurrency, Recording(handler), With(options)));

    public EventPump<string> ByKey(Func<string, string?> key, int concurrency, EventPumpOptions options, Func<string, CancellationToken, ValueTask> handler) =>
        Own(EventPump.ByKey(key, concurrency, Recording(handler), With(options)));

    public async ValueTask TakesAsync(int milliseconds, CancellationToken cancellationToken) =>
        await clock.DelayAsync(TimeSpan.FromMilliseconds(milliseconds), cancellationToken);

    public Task AcceptAsync(EventPump<string> pump, string one, CancellationToken cancellationToken = default) =>
        pump.AcceptAsync("0", one, _ => StoreAsync(one), cancellationToken);

    public async ValueTask DisposeAsync()
    {
        foreach (var pump in owned)
        {
            await pump.DisposeAsync();
        }
    }

    private Func<string, CancellationToken, ValueTask> Recording(Func<string, CancellationToken, ValueTask>? handler) =>
        async (one, token) =>
        {
            Begun.Add($"{one} {clock.Elapsed.TotalMilliseconds:0}");
            await (handler?.Invoke(one, token) ?? ValueTask.CompletedTask);
            Ended.Add(one);
        };

    private Task StoreAsync(string one)
    {
        if (refused++ < RefusedCheckpoints)
        {
            throw new TimeoutException("the store does not answer");
        }

        Stored.Add(one);
        return Task.CompletedTask;
    }
}
