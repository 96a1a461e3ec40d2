using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>
/// A degree search alone, in front of a service that serves a number of events concurrently and lets the others wait in turn. The degree limits the
/// events in flight. Without tasks, so that minutes of thousands of events a second take a moment.
/// </summary>
internal sealed class ClosedLoop(Func<TimeSpan> latency)
{
    private readonly VirtualClock clock = new();
    private readonly Queue<TimeSpan> queue = new();
    private readonly PriorityQueue<(TimeSpan Begun, bool Fails), TimeSpan> serving = new();
    private readonly List<(TimeSpan At, TimeSpan Latency)> ends = [];
    private DegreeSearch? search;
    private int inFlight;

    /// <summary>How many are served concurrently. May change while it runs.</summary>
    public int Knee { get; set; } = int.MaxValue;

    /// <summary>The share of tries that fail. Each is tried again immediately.</summary>
    public double Failing { get; set; }

    /// <summary>How much longer each takes, as a factor.</summary>
    public double Slower { get; set; } = 1;

    /// <summary>A degree in force instead of the one that is found.</summary>
    public int? Fixed { get; set; }

    /// <summary>The largest number of concurrent events.</summary>
    public int Offered { get; set; } = int.MaxValue;

    public DegreeSearch Search => search ??= new DegreeSearch(clock) { Most = 512 };

    /// <summary>The degrees over time, in seconds.</summary>
    public List<(double At, int Degree)> Degrees { get; } = [];

    private Random Random { get; } = new(1);

    /// <summary>Ends a second between two times, in seconds.</summary>
    public double RateBetween(double from, double to) => Between(from, to).Count() / (to - from);

    /// <summary>The latency between two times, in seconds, that one in a hundred exceeds.</summary>
    public TimeSpan TailBetween(double from, double to)
    {
        var latencies = Between(from, to).Select(end => end.Latency).Order().ToList();
        return latencies[latencies.Count * 99 / 100];
    }

    /// <summary>The mean degree between two times, in seconds.</summary>
    public double MeanDegreeBetween(double from, double to)
    {
        var area = 0.0;
        for (var place = 0; place < Degrees.Count; place++)
        {
            var until = place + 1 < Degrees.Count ? Degrees[place + 1].At : double.MaxValue;
            area += Degrees[place].Degree * Math.Max(0, Math.Min(until, to) - Math.Max(Degrees[place].At, from));
        }

        return area / (to - from);
    }

    public ClosedLoop RunUntil(double seconds)
    {
        Note();
        Begin();
        while (serving.TryPeek(out _, out var due) && due.TotalSeconds < seconds)
        {
            clock.Advance(due - clock.Elapsed);
            End(serving.Dequeue());
            Note();
            Begin();
        }

        clock.Advance(TimeSpan.FromSeconds(seconds) - clock.Elapsed);
        return this;
    }

    private void Begin()
    {
        for (; inFlight < Math.Min(Fixed ?? Search.Degree, Offered); inFlight++)
        {
            queue.Enqueue(clock.Elapsed);
        }

        while (serving.Count < Knee && queue.TryDequeue(out var begun))
        {
            serving.Enqueue((begun, Random.NextDouble() < Failing), clock.Elapsed + (latency() * Slower));
        }
    }

    private void End((TimeSpan Begun, bool Fails) ended)
    {
        if (ended.Fails)
        {
            Search.Failed();
            queue.Enqueue(ended.Begun);
            return;
        }

        inFlight--;
        ends.Add((clock.Elapsed, clock.Elapsed - ended.Begun));
        Search.Completed(ends[^1].Latency);
    }

    private IEnumerable<(TimeSpan At, TimeSpan Latency)> Between(double from, double to) =>
        ends.Where(end => end.At.TotalSeconds >= from && end.At.TotalSeconds < to);

    private void Note()
    {
        if (Degrees.Count == 0 || Degrees[^1].Degree != Search.Degree)
        {
            Degrees.Add((clock.Elapsed.TotalSeconds, Search.Degree));
        }
    }
}
