using EventHubThroughput.Lab.Configuration;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>A strategy with its settings, as it is compared with others.</summary>
/// <param name="Label">Its label, as in the option.</param>
/// <param name="Options">The options of its runs, the names of the run aside.</param>
internal sealed record ComparedConfiguration(string Label, RunOptions Options)
{
    /// <summary>The folder of another build of this program, which is run in its place. Null runs this one.</summary>
    public string? Build { get; init; }

    /// <summary>The partitions of the hub that it reads.</summary>
    public int Partitions => Options.Load!.Partitions;

    /// <summary>Its part of the common load.</summary>
    public LoadOptions GetLoad(ComparisonPlan plan) => plan.Load with { Partitions = Partitions };
}
