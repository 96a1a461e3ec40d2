using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>A batch, its sinks and a schedule, all drawn.</summary>
public sealed record Workload(int Batch, int Degree, int Sinks, int Seed)
{
    public static Arbitrary<Workload> Arbitrary { get; } =
        (
            from batch in Gen.Choose(1, 25)
            from degree in Gen.Choose(1, 12)
            from sinks in Gen.Choose(0, 3)
            from seed in Gen.Choose(0, int.MaxValue)
            select new Workload(batch, degree, sinks, seed)
        ).ToArbitrary();

    /// <summary>Every write, in the order in which they were started.</summary>
    internal List<Write> Run(string strategy)
    {
        var log = new List<Write>();
        VirtualTimeRunner.Run(
            clock =>
            {
                var sinks = Enumerable.Range(0, Sinks).Select(i => RecordingSink.Jittered(clock, $"sink{i}", Seed ^ i, log)).ToArray();
                var instance = StrategyCatalog.Find(strategy).Create(new StrategyContext { Degree = Degree });
                return instance.ProcessAsync(Some.Batch(Batch), sinks, CancellationToken.None);
            },
            Seed
        );
        return log;
    }
}
