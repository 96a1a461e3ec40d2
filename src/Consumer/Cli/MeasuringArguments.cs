using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Configuration;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>For how long a run is measured.</summary>
internal sealed class MeasuringArguments
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    public Option<TimeSpan?> WarmUp { get; } =
        Options.OptionalDuration("--warm-up", "Leave out so much time after the first batch; ten batches unless given", TimeSpan.Zero, Hour);

    public Option<TimeSpan?> Length { get; } =
        Options.OptionalDuration(
            "--measure",
            "Measure for so long, then end and leave the rest of the backlog; to the end of the backlog unless given",
            TimeSpan.FromMilliseconds(100),
            24 * Hour
        );

    public Option[] All => [WarmUp, Length];

    /// <summary>What was given; null without either.</summary>
    public MeasuringTimes? Read(CommandResult result) =>
        (result.GetValue(WarmUp), result.GetValue(Length)) switch
        {
            (null, null) => null,
            var (warmUp, length) => new MeasuringTimes(warmUp, length),
        };
}
