using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Model.Predicting;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>What excluded cells withhold from a comparison: figures without a conclusion, and the model's rates in their place.</summary>
internal static class WithheldFigures
{
    /// <summary>
    /// Whether excluded cells withhold the answer or a part of it: all cells of a strategy are excluded, or no block of a comparison has both of the best
    /// two. A failed verdict is an answer.
    /// </summary>
    public static bool Are(
        ComparisonPlan plan,
        IReadOnlyList<ComparedStrategy> strategies,
        IReadOnlyList<ComparedPair> pairs,
        IReadOnlyList<ComparedCell> cells
    )
    {
        var excluded = cells.Where(IsExcluded).Select(static cell => cell.Label).ToHashSet(StringComparer.Ordinal);
        return strategies.Any(one => one.Cells == 0 && excluded.Contains(one.Label)) || (excluded.Count > 0 && plan.Sweep.Count == 0 && !LeaveAnswer(pairs));
    }

    /// <summary>Whether the cells that count have an answer nevertheless.</summary>
    public static bool LeaveAnswer(IReadOnlyList<ComparedPair> pairs) => pairs.Count > 0 && pairs[0].Word != ComparisonDocument.NothingToCompare;

    /// <summary>The strategies with the figures of excluded cells and the model's rates, if the answer is withheld. Otherwise the same strategies.</summary>
    public static IReadOnlyList<ComparedStrategy> AddTo(
        ComparisonPlan plan,
        IReadOnlyList<ComparedStrategy> strategies,
        IReadOnlyList<ComparedPair> pairs,
        IReadOnlyList<ComparedCell> cells
    ) =>
        !Are(plan, strategies, pairs, cells)
            ? strategies
            :
            [
                .. strategies
                    .Zip(plan.Configurations)
                    .Select(one =>
                        one.First with
                        {
                            ProfilePredictedEventsPerS = GetPrediction(plan, one.Second),
                            Excluded = one.First.Cells == 0 ? GetFigures(plan.By, cells.Where(cell => cell.Label == one.First.Label)) : null,
                        }
                    ),
            ];

    private static bool IsExcluded(ComparedCell cell) => cell.Apart is not null && cell.Result?.Safety.Verdict != SafetyVerdict.Failed;

    private static double? GetPrediction(ComparisonPlan plan, ComparedConfiguration configuration) =>
        plan.Services is null && ModelChoice.GetSettings(configuration.Options with { Load = configuration.GetLoad(plan) }) is { } settings
            ? Predictor.GetPrediction(settings)?.EventsPerSecond
            : null;

    // A rate with lost events is not shown.
    private static ExcludedFigures? GetFigures(ComparedBy by, IEnumerable<ComparedCell> cells)
    {
        var results = cells
            .Where(static cell => cell.Apart is not null)
            .Select(static cell => cell.Result)
            .OfType<RunResult>()
            .Where(static result => result.Safety.Verdict == SafetyVerdict.Clean)
            .ToList();
        return results.Count == 0
            ? null
            : new ExcludedFigures
            {
                Cells = results.Count,
                EventsPerS = GetMedian(result => ComparedFigure.IsRate(by) ? ComparedFigure.Of(result, by) : result.Throughput.EventsPerS),
                EventP50Ms = GetMedian(static result => result.Stages.GetValueOrDefault("event")?.P50Ms),
                EventP99Ms = PooledTimes.EventP99Ms(results),
                EndToEndP50Ms = GetMedian(static result => ComparedFigure.EndToEnd(result)?.P50Ms),
                EndToEndP99Ms = GetMedian(static result => ComparedFigure.EndToEnd(result)?.P99Ms),
                EndToEndP999Ms = GetMedian(static result => ComparedFigure.EndToEnd(result)?.P999Ms),
                ConsumerCpuUsPerEvent = GetMedian(static result => result.Resources.Consumer.CpuUsPerEvent),
            };

        double? GetMedian(Func<RunResult, double?> of) => results.Select(of).OfType<double>().ToList() is { Count: > 0 } values ? values.Median() : null;
    }
}
