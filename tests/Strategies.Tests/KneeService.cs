using EventHubThroughput.Events;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>
/// A service that serves a number of concurrent writes, each for its latency, and lets the others wait: the knee of its rate. With a quota it refuses
/// writes beyond a second's worth in hand. The write is tried again when the advised time has expired, as in processing. For one thread only: that of the
/// virtual-time runner.
/// </summary>
internal sealed class KneeService(VirtualClock clock, int knee, Func<TimeSpan> latency) : ITrackedSink
{
    private static readonly TimeSpan Advised = TimeSpan.FromSeconds(2);

    private readonly Queue<TaskCompletionSource> queue = new();
    private readonly Dictionary<string, int> servedOf = new(StringComparer.Ordinal);
    private int serving;
    private long tries;
    private double? tokens;
    private TimeSpan filled;

    public string Name => "service";

    /// <summary>How many are served concurrently. May change while it serves.</summary>
    public int Knee { get; set; } = knee;

    /// <summary>Writes a second that are allowed. Unlimited by default.</summary>
    public double? Quota { get; init; }

    /// <summary>One write in this number is refused at any load. None by default.</summary>
    public int? RefusesOneIn { get; init; }

    /// <summary>How long until a write fails and is tried again. Never by default.</summary>
    public TimeSpan? TimeOut { get; set; }

    /// <summary>Called for tries that failed, by partition.</summary>
    public Dictionary<string, IWriteWatcher> Watchers { get; } = new(StringComparer.Ordinal);

    /// <summary>When it asked to slow down.</summary>
    public List<TimeSpan> Refused { get; } = [];

    public List<(TimeSpan At, string Partition)> Served { get; } = [];

    /// <summary>Writes that have begun and not ended.</summary>
    public int InFlight { get; private set; }

    public int GetServed(string partition) => servedOf.GetValueOrDefault(partition);

    public double RateBetween(double from, double to, string? partition = null) =>
        Served.Count(one => one.At.TotalSeconds >= from && one.At.TotalSeconds < to && (partition ?? one.Partition) == one.Partition) / (to - from);

    public int RefusedBetween(double from, double to) => Refused.Count(at => at.TotalSeconds >= from && at.TotalSeconds < to);

    public async ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        var started = clock.Elapsed;
        InFlight++;
        for (var attempts = 1; ; attempts++)
        {
            var throttled = !MayEnter();
            if (!throttled && TimeOut is null)
            {
                await ServeAsync(cancellationToken);
                Served.Add((clock.Elapsed, ((ReceivedEvent)receivedEvent).PartitionId));
                servedOf[((ReceivedEvent)receivedEvent).PartitionId] = GetServed(((ReceivedEvent)receivedEvent).PartitionId) + 1;
                InFlight--;
                return new WriteOutcome(clock.Elapsed - started, attempts, attempts > 1);
            }

            if (throttled)
            {
                Refused.Add(clock.Elapsed);
            }

            await clock.DelayAsync(throttled ? TimeSpan.FromMilliseconds(1) : TimeOut!.Value, cancellationToken);
            Watchers[((ReceivedEvent)receivedEvent).PartitionId]
                .Noticed(new WriteNotice(0, receivedEvent.SequenceNumber, attempts, throttled, clock.Elapsed - started));
            await clock.DelayAsync(throttled ? Advised : TimeSpan.FromMilliseconds(100), cancellationToken);
        }
    }

    public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
        await Task.WhenAll(events.Select(receivedEvent => WriteAsync(receivedEvent, cancellationToken).AsTask()));

    private bool MayEnter()
    {
        if (RefusesOneIn is { } many && ++tries % many == 0)
        {
            return false;
        }

        if (Quota is not { } quota)
        {
            return true;
        }

        tokens = Math.Min(quota, (tokens ?? quota) + ((clock.Elapsed - filled).TotalSeconds * quota));
        filled = clock.Elapsed;
        if (tokens < 1)
        {
            return false;
        }

        tokens--;
        return true;
    }

    private async Task ServeAsync(CancellationToken cancellationToken)
    {
        if (serving < Knee)
        {
            serving++;
        }
        else
        {
            var turn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            queue.Enqueue(turn);
            using var cut = cancellationToken.Register(() => turn.TrySetCanceled(cancellationToken));
            await turn.Task;
        }

        await clock.DelayAsync(latency(), cancellationToken);
        serving--;

        // An admitted caller has the place already.
        while (serving < Knee && queue.TryDequeue(out var next))
        {
            serving += next.TrySetResult() ? 1 : 0;
        }
    }
}
