using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>Partitions of one process under adaptive, in front of one service, with more input than they can write.</summary>
internal sealed class AdaptiveRun
{
    private KneeService? service;

    public required Func<VirtualClock, KneeService> Open { get; init; }

    public int Partitions { get; init; } = 1;

    /// <summary>Whether a partition has input at a time, in seconds. Always by default.</summary>
    public Func<int, double, bool> HasInput { get; init; } = static (_, _) => true;

    /// <summary>What befalls the service, and when, in seconds.</summary>
    public (double At, Action<KneeService> Do)? Step { get; set; }

    /// <summary>Looks at the service now and then, with the time in seconds.</summary>
    public Action<KneeService, double> Watch { get; init; } = static (_, _) => { };

    public KneeService Service => service!;

    /// <summary>The reported degree of the first partition, by seconds.</summary>
    public List<(double At, int Degree)> Degrees { get; } = [];

    public static IProcessingStrategy Create(
        VirtualClock clock,
        KneeService service,
        string partition,
        SharedLimit limit,
        int degree,
        CancellationToken lifetime,
        Action<int>? report = null
    )
    {
        var strategy = StrategyCatalog
            .Find("adaptive")
            .Create(
                new StrategyContext
                {
                    PartitionId = partition,
                    MaxConcurrency = degree,
                    Sinks = [service],
                    Limit = limit,
                    TimeProvider = clock,
                    Lifetime = lifetime,
                    ReportConcurrency = report ?? (static _ => { }),
                }
            );
        service.Watchers[partition] = (IWriteWatcher)strategy;
        return strategy;
    }

    public AdaptiveRun For(double seconds)
    {
        VirtualTimeRunner.Run(async clock =>
        {
            using var end = new CancellationTokenSource(TimeSpan.FromSeconds(seconds), clock);
            service = Open(clock);
            var limit = new SharedLimit(int.MaxValue);
            await Task.WhenAll(Enumerable.Range(0, Partitions).Select(partition => FeedAsync(clock, partition, limit, end.Token)));
        });
        return this;
    }

    private async Task FeedAsync(VirtualClock clock, int partition, SharedLimit limit, CancellationToken end)
    {
        var name = $"{partition}";
        await using var strategy = Create(clock, Service, name, limit, 512, end, degree => Report(clock, partition, degree));
        for (var first = 0; !end.IsCancellationRequested; )
        {
            // Never less than the largest degree waits, where there is input.
            while (first - Service.GetServed(name) < 4096 && HasInput(partition, clock.Elapsed.TotalSeconds))
            {
                await strategy.DispatchAsync(Some.Batch(100, name, first).Events, CancellationToken.None);
                first += 100;
            }

            await clock.DelayAsync(TimeSpan.FromMilliseconds(20), CancellationToken.None);
            Watch(Service, clock.Elapsed.TotalSeconds);
            if (Step is { } step && clock.Elapsed.TotalSeconds >= step.At)
            {
                step.Do(Service);
                Step = null;
            }
        }
    }

    private void Report(VirtualClock clock, int partition, int degree)
    {
        if (partition == 0)
        {
            Degrees.Add((clock.Elapsed.TotalSeconds, degree));
        }
    }
}
