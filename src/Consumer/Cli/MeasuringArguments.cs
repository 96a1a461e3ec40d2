using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The options for warm-up and length of the measurement.</summary>
internal sealed class MeasuringArguments
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);
    private static readonly MeasuringTimes WholeBacklog = new(WarmUp: null, Length: null);

    public Option<TimeSpan?> WarmUp { get; } =
        Options
            .OptionalDuration("--warm-up", "Leave out this time after the first batch, default ten batches", TimeSpan.Zero, Hour)
            .Sets(static (run, time) => time is null ? run : run with { Measuring = (run.Measuring ?? WholeBacklog) with { WarmUp = time } });

    public Option<TimeSpan?> Length { get; } =
        Options
            .OptionalDuration(
                "--measure",
                "Measure for this time, then end and leave the rest of the backlog. Default: to the end of the backlog",
                TimeSpan.FromMilliseconds(100),
                24 * Hour
            )
            .Sets(static (run, time) => time is null ? run : run with { Measuring = (run.Measuring ?? WholeBacklog) with { Length = time } });

    public Option[] All => [WarmUp, Length];
}
