using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Processing;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Lab.Profiling;

/// <summary>The writes of a run in the form of <c>consumer model --write</c>: mean and spread of each sink. A run does not show what its service allows.</summary>
internal static class MeasuredWrites
{
    /// <summary>The writes, in the order of the run. Sinks that were measured too rarely, or whose name is not one of a write, are left out.</summary>
    public static IReadOnlyList<DescribedWrite> Of(RunResult result) =>
        [.. GetSinks(result).Where(DescribedWriteReader.IsName).Select(sink => GetWrite(sink, result.Stages)).OfType<DescribedWrite>()];

    /// <summary>Whether the run has written neither messages nor blobs.</summary>
    public static bool AreOther(RunResult result) => !GetSinks(result).Any(static sink => SinkCatalog.All.Any(known => known.Name == sink));

    private static IEnumerable<string> GetSinks(RunResult result) => result.Stages.Keys.Where(RunStages.IsSink);

    private static DescribedWrite? GetWrite(string sink, IReadOnlyDictionary<string, StageFigures> stages) =>
        stages.GetValueOrDefault(sink) is { } stage && MeasuredLaw.Of(stage) is { } law
            ? new DescribedWrite(sink, new LatencyLaw { MeanMilliseconds = law.MeanMilliseconds, DeviationMilliseconds = law.DeviationMilliseconds })
            : null;
}
