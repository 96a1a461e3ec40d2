using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The facts that only the comparison has of a cell to which events were sent while it was run.</summary>
internal static class SentLoad
{
    /// <summary>The result with the scheduled rate and the achieved rate, whether events waited ever longer, and whether the input limited it.</summary>
    /// <param name="plan">The comparison.</param>
    /// <param name="result">What the cell's process has left.</param>
    /// <param name="sent">How its events were sent. Null where nothing was.</param>
    public static RunResult Of(ComparisonPlan plan, RunResult result, SentFigures? sent)
    {
        var waits = result.Time.Windows.Select(static window => window.EndToEndMs / 1000).OfType<double>().ToList();
        var length = result.Time.Windows.Count < 2 ? 1 : result.Time.Windows[1].StartS - result.Time.Windows[0].StartS;
        // After a burst the wait rises and falls again: only a constant rate shows growth.
        var isConstant = plan.Rates is [_] && waits.Count == result.Time.Windows.Count;
        return result with
        {
            Run = result.Run with { Kind = ResultKind.Latency },
            Input = result.Input with
            {
                Rate = plan.Load.Rate,
                RateIntendedPerS = sent?.IntendedPerS,
                RateAchievedPerS = sent?.AchievedPerS,
                MostLateMs = sent?.MostLateMs,
                LagGrowth = isConstant ? LagGrowth.Of(waits, length) : null,
                FallsBehind = isConstant ? LagGrowth.IsSeen(waits, length) : null,
            },
            Bounds = result.Bounds with
            {
                Bound = sent is null or { IsShort: true } && result.Bounds.Bound is RateBound.None or RateBound.Cpu ? RateBound.Input : result.Bounds.Bound,
            },
        };
    }
}
