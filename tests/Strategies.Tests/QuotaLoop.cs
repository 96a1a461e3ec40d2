using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>
/// A pace search alone, in front of a quota that saves up a burst and refuses the excess. The search gets the refusal a moment later. Refused events
/// come again when the advised time has expired, as in processing.
/// </summary>
/// <param name="offered">Begun a second where nothing holds it up.</param>
internal sealed class QuotaLoop(double offered)
{
    private static readonly TimeSpan Advised = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Notice = TimeSpan.FromMilliseconds(3);

    private readonly VirtualClock clock = new();
    private readonly Random random = new(7);
    private readonly Queue<TimeSpan> notices = new();
    private readonly Queue<TimeSpan> again = new();
    private PaceSearch? search;
    private double? tokens;
    private TimeSpan filled;
    private TimeSpan next;

    /// <summary>Allowed a second. May change while it runs.</summary>
    public double Quota { get; set; } = double.MaxValue;

    /// <summary>The share of tries that is refused at any pace. None by default.</summary>
    public double RefusedAnyway { get; init; }

    /// <summary>For how long what is not taken is saved, in seconds.</summary>
    public double Burst { get; init; } = 1;

    public PaceSearch Search => search ??= new PaceSearch(clock);

    public List<TimeSpan> Allowed { get; } = [];

    public List<TimeSpan> Refused { get; } = [];

    /// <summary>Allowed a second between two times, in seconds.</summary>
    public double RateBetween(double from, double to) => Between(Allowed, from, to) / (to - from);

    /// <summary>Of all that was tried between two times, in seconds, the share that was refused.</summary>
    public double RefusedShare(double from, double to) => Between(Refused, from, to) / (Between(Refused, from, to) + Between(Allowed, from, to));

    public QuotaLoop RunUntil(double seconds)
    {
        for (; next.TotalSeconds < seconds; next += TimeSpan.FromSeconds(1 / offered))
        {
            AdvanceTo(next);
            next += Search.Next();
            AdvanceTo(next);
            Try();
        }

        return this;
    }

    /// <summary>No input until then.</summary>
    public QuotaLoop IdleUntil(double seconds)
    {
        next = TimeSpan.FromSeconds(seconds);
        return this;
    }

    private void AdvanceTo(TimeSpan time)
    {
        while (true)
        {
            var notice = notices.TryPeek(out var earliest) ? earliest : TimeSpan.MaxValue;
            var retry = again.TryPeek(out var due) ? due : TimeSpan.MaxValue;
            var first = notice < retry ? notice : retry;
            if (first > time)
            {
                clock.Advance(time - clock.Elapsed);
                return;
            }

            clock.Advance(first - clock.Elapsed);
            if (notice <= retry)
            {
                notices.Dequeue();
                Search.Throttled();
            }
            else
            {
                again.Dequeue();
                Try();
            }
        }
    }

    private void Try()
    {
        var now = clock.Elapsed;
        tokens = Math.Min(Burst * Quota, (tokens ?? Burst * Quota) + ((now - filled).TotalSeconds * Quota));
        filled = now;
        if (tokens >= 1 && (RefusedAnyway == 0 || random.NextDouble() >= RefusedAnyway))
        {
            tokens--;
            Allowed.Add(now);
            return;
        }

        Refused.Add(now);
        notices.Enqueue(now + Notice);
        again.Enqueue(now + Advised);
    }

    private static double Between(List<TimeSpan> times, double from, double to) => times.Count(time => time.TotalSeconds >= from && time.TotalSeconds < to);
}
