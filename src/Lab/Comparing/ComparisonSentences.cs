using System.Globalization;
using EventHubThroughput.Comparison;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Processing;
using EventHubThroughput.Verification;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>A comparison in sentences: the answer, what it costs, what is not decided, and what was left out.</summary>
internal static class ComparisonSentences
{
    public static IReadOnlyList<string> Of(
        ComparisonPlan plan,
        IReadOnlyList<ComparedStrategy> strategies,
        IReadOnlyList<ComparedPair> pairs,
        IReadOnlyList<ComparedCell> cells,
        ComparisonConclusion conclusion
    ) =>
        [
            .. plan.Sweep.Count > 0 ? [] : GetAnswer(plan, strategies, pairs, cells, conclusion),
            .. plan.Sweep.Count > 0 ? [] : Undecided(plan, strategies, pairs),
            .. plan.Sweep.Count > 0 ? [] : ExplainUnranked(strategies),
            .. plan.Sweep.Count > 0 || conclusion.IsNoisy || plan.IsOpenLoop ? [] : ClientSentences.Of(plan, strategies, pairs),
            .. plan.IsSearch ? [Searched(strategies)]
            : plan.IsOpenLoop ? Sent(plan, cells)
            : [],
            .. Verdicts(plan, strategies, cells),
            .. GetSinks(plan),
            .. Unjudged(plan),
            .. WithheldFigures.Are(plan, strategies, pairs, cells) ? [] : ExclusionSentences.List(plan, cells),
            .. Marked(plan, cells),
            .. Discarded(plan, conclusion),
            .. TooShort(plan, cells),
        ];

    // What withholds the answer precedes it.
    private static IEnumerable<string> GetAnswer(
        ComparisonPlan plan,
        IReadOnlyList<ComparedStrategy> strategies,
        IReadOnlyList<ComparedPair> pairs,
        IReadOnlyList<ComparedCell> cells,
        ComparisonConclusion conclusion
    ) =>
        !WithheldFigures.Are(plan, strategies, pairs, cells) ? GetAnswer(plan, strategies, pairs, conclusion)
        : WithheldFigures.LeaveAnswer(pairs)
            ?
            [
                .. ExclusionSentences.Explain(plan, strategies, pairs, cells),
                .. GetAnswer(plan, strategies, pairs, conclusion)
                    .Select(static (sentence, place) => place == 0 ? $"{ExclusionWords.Counted}: {sentence}" : sentence),
            ]
        : [.. ExclusionSentences.Explain(plan, strategies, pairs, cells)];

    // A reference that cannot keep the rate is the headline. It does not withhold the others.
    private static IEnumerable<string> GetAnswer(
        ComparisonPlan plan,
        IReadOnlyList<ComparedStrategy> strategies,
        IReadOnlyList<ComparedPair> pairs,
        ComparisonConclusion conclusion
    )
    {
        if (!KeptRate.IsMissedByReference(strategies))
        {
            return [Answer(plan, strategies, pairs, conclusion)];
        }

        var keeping = KeptRate.SelectPairs(strategies, pairs);
        return [KeptRate.Describe(plan, strategies), .. keeping.Count > 0 ? [Answer(plan, strategies, keeping, conclusion)] : Array.Empty<string>()];
    }

    private static string Answer(
        ComparisonPlan plan,
        IReadOnlyList<ComparedStrategy> strategies,
        IReadOnlyList<ComparedPair> pairs,
        ComparisonConclusion conclusion
    )
    {
        if (conclusion.IsNoisy)
        {
            return Text(
                $"No conclusion: this machine was too noisy. The two runs of {plan.Reference.Label} in a block differed by more than {100 * DriftRule.MostDrift:0} % in more than a third of the blocks."
            );
        }

        if (strategies.Count < 2 || pairs.Count == 0)
        {
            return ComparisonDocument.Ranked(strategies, plan.By) is [var alone]
                ? Text($"Only {alone.Label} was measured. A comparison needs a second configuration.")
                : "No cell was measured.";
        }

        var best = pairs[0];
        var (first, second) = (strategies.First(one => one.Label == best.First), strategies.First(one => one.Label == best.Second));
        return best.Word switch
        {
            "faster" => Text(
                $"{first.Label} is {Times(best.Ratio)} as {Quick(plan)} as {second.Label} ({Figures(plan, first, second)}{Range(best.Ratio95)}, faster in {best.FasterIn} of {Plural.Format(best.Blocks, "block")}). {GetPrice(first, second)}"
            ),
            "indication" => Text(
                $"{first.Label} was {Times(best.Ratio)} as {Quick(plan)} as {second.Label} {Indicated(plan, first, second)}in {Plural.Format(best.Blocks, "block")}. This is an indication, not a result. {GetPrice(first, second)}"
            ),
            "no difference" => Text($"{first.Label} and {second.Label} are the fastest, with no difference between them ({Range(best.Ratio95)})."),
            "noisy, no conclusion" => Text($"{first.Label} and {second.Label} were the fastest, but their runs vary too much for a conclusion."),
            var word when word.StartsWith("not ranked", StringComparison.Ordinal) => Text(
                $"{first.Label} and {second.Label} are the fastest and not ranked: {word["not ranked: ".Length..]}."
            ),
            _ => Text(
                $"{first.Label} and {second.Label} are the fastest. Which of the two is faster is not decided ({Range(best.Ratio95)}). More blocks may decide it."
            ),
        };
    }

    /// <summary>The price of the higher rate: its order, and what a crash repeats.</summary>
    /// <param name="first">The configuration with the higher rate.</param>
    /// <param name="second">The next one.</param>
    public static string GetPrice(ComparedStrategy first, ComparedStrategy second) =>
        (first.Unsafe is { } why ? $"It is unsafe: {why} " : "")
        + $"It keeps {GetOrder(first)}"
        + (
            first.RepeatsAtMost > second.RepeatsAtMost
                ? Text($", and a crash may repeat {first.RepeatsAtMost:N0} events instead of {second.RepeatsAtMost:N0}.")
                : Text($", and a crash repeats at most {Plural.Format(first.RepeatsAtMost, "event")}.")
        );

    private static string GetOrder(ComparedStrategy strategy) =>
        strategy.Order switch
        {
            "partition" => "the order of a partition",
            "key" => "the order of each key",
            _ => "no order",
        };

    // Of all pairs, only the interesting ones: neighbours in rank.
    private static IEnumerable<string> Undecided(ComparisonPlan plan, IReadOnlyList<ComparedStrategy> strategies, IReadOnlyList<ComparedPair> pairs)
    {
        if (plan.IsIndication)
        {
            return [Text($"One block has no interval. --repeats {MedianInterval.FewestForInterval} gives one, and --repeats 10 can be published.")];
        }

        var ranked = ComparisonDocument.Ranked(strategies, plan.By).Select(static one => one.Label).ToList();
        return pairs
            .Skip(1)
            .Where(pair => ranked.IndexOf(pair.Second) == ranked.IndexOf(pair.First) + 1 && pair.Word is "not decided" or "no difference")
            .GroupBy(static pair => pair.Word, StringComparer.Ordinal)
            .Select(same => Text($"{same.Key}: {string.Join(", ", same.Select(pair => $"{pair.First} against {pair.Second} ({Range(pair.Ratio95)})"))}."));
    }

    private static IEnumerable<string> ExplainUnranked(IReadOnlyList<ComparedStrategy> strategies) =>
        strategies
            .Where(one => one.Word.StartsWith("not ranked", StringComparison.Ordinal) && !KeptRate.LacksReferenceOnly(strategies, one))
            .GroupBy(static one => one.Word, StringComparer.Ordinal)
            .Select(same => Text($"{same.Key}: {string.Join(", ", same.Select(static one => one.Label))}. The rate is shown without a rank."));

    private static string Quick(ComparisonPlan plan) => ComparedFigure.IsRate(plan.By) ? "fast" : "quick";

    // A ratio of times means little without the times.
    private static string Figures(ComparisonPlan plan, ComparedStrategy first, ComparedStrategy second) =>
        plan.By switch
        {
            ComparedBy.P99 => Text($"p99 {first.EndToEndP99Ms:0.0} against {second.EndToEndP99Ms:0.0} ms, "),
            ComparedBy.Sustained => Text($"{first.EventsPerS:0.0} against {second.EventsPerS:0.0} events/s sustained, "),
            ComparedBy.P50 => Text($"median {first.EndToEndP50Ms:0.0} against {second.EndToEndP50Ms:0.0} ms, "),
            _ => "",
        };

    private static string Indicated(ComparisonPlan plan, ComparedStrategy first, ComparedStrategy second) =>
        Figures(plan, first, second) is { Length: > 0 } figures ? $"({figures.TrimEnd(',', ' ')}) " : "";

    // The two rates that enclose the one that was searched.
    private static string Searched(IReadOnlyList<ComparedStrategy> strategies) =>
        Text(
            $"Sustained is the largest rate at which the lag does not grow (by more than {100 * LagGrowth.MostShare:0} % of the time). Most runs keep it, and most runs {100 * (SustainableRateSearch.Precision - 1):0} % above it do not: {string.Join(", ", strategies.Where(static one => one.EventsPerS is not null).Select(static one => Text($"{one.Label} {one.EventsPerS:0.0}, not sustained {one.NotKeptPerS?.ToString("0.0", CultureInfo.InvariantCulture) ?? "unknown"}")))}."
        );

    // The load that was really sent.
    private static IEnumerable<string> Sent(ComparisonPlan plan, IReadOnlyList<ComparedCell> cells)
    {
        yield return Text(
            $"Sent at {plan.Load.Rate} in an open loop. Times are from the scheduled send time until every sink has the event. They are compared by their {(plan.By == ComparedBy.P99 ? "99th percentile" : "median")}."
        );
        var behind = cells.Where(static cell => cell is { Apart: null, Result.Input.FallsBehind: true }).ToList();
        if (behind.Count > 0)
        {
            yield return Text(
                $"growing lag: {string.Join(", ", behind.Select(cell => Text($"{CellPlaces.GetPlace(plan, cell)} by {100 * cell.Result!.Input.LagGrowth:0} %")))}. Such times rise during the whole measurement, so they are shown and not ranked."
            );
        }

        var late = cells
            .Where(static cell =>
                cell is { Apart: null, Result.Input: { RateAchievedPerS: { } kept, RateIntendedPerS: { } meant } } && kept < SentFigures.LeastShare * meant
            )
            .ToList();
        if (late.Count > 0)
        {
            yield return Text(
                $"input-bound: {string.Join(", ", late.Select(cell => Text($"{CellPlaces.GetPlace(plan, cell)} ({cell.Result!.Input.RateAchievedPerS:0.0} of {cell.Result.Input.RateIntendedPerS:0.0} events/s)")))}. The sender did not reach the rate."
            );
        }
    }

    private static IEnumerable<string> Verdicts(ComparisonPlan plan, IReadOnlyList<ComparedStrategy> strategies, IReadOnlyList<ComparedCell> cells)
    {
        foreach (var failed in strategies.Where(static one => one.Verdict == SafetyVerdict.Failed))
        {
            yield return Text(
                $"{failed.Label}: {cells.First(cell => cell.Label == failed.Label && cell.Result?.Safety.Verdict == SafetyVerdict.Failed).Result!.Safety.Line}"
            );
        }

        if (strategies.All(static one => one.Verdict == SafetyVerdict.Clean))
        {
            var evidence =
                plan.Configurations.Any(static one => HandlerRecord.IsNeeded(one.Options))
                    ? "by the ledger and what the handlers acknowledged, in the consumer's own record"
                : plan.Services is null ? "ledger and journal"
                : "by the ledger and what was read back from the services";
            yield return Text(
                $"No event was lost in any of {Plural.Format(cells.Count, "cell")}, and no {(plan.Services is null ? "" : "final ")}checkpoint was ahead ({evidence})."
            );
        }
    }

    // Figures of another set of sinks cannot be compared with these.
    private static IEnumerable<string> GetSinks(ComparisonPlan plan) =>
        plan.Configurations.SelectMany(static one => one.Options.Sinks).Select(static sink => sink.Name).Distinct(StringComparer.Ordinal).ToList() is var names
        && JudgedSinks.Of(names) == SinkSet.Both
            ? []
        : plan.Reference.Options.Writes is { } writes
            ? [Text($"No service was written to: each event waited for the described writes {string.Join(" and ", writes)}.")]
        : [Text($"Each event is written to {string.Join(" and ", names)} only.")];

    // What has arrived at a custom sink is known only there.
    private static IEnumerable<string> Unjudged(ComparisonPlan plan)
    {
        var own = plan.Configurations.SelectMany(static one => one.Options.Sinks).Except(SinkCatalog.All).Select(static sink => sink.Name).Distinct().ToList();
        return own.Count == 0 || plan.Reference.Options.Writes is not null
            ? []
            :
            [
                Text(
                    $"Not verified: the copies at {string.Join(", ", own)}. {(plan.Services is null ? "Ledger and journal have" : "What was read back has")} no record of them. An event is complete when these sinks have acknowledged it too."
                ),
            ];
    }

    private static IEnumerable<string> Marked(ComparisonPlan plan, IReadOnlyList<ComparedCell> cells)
    {
        var marked = cells.Where(static cell => cell is { Apart: null, ProfileMissedBy: > 0 }).ToList();
        var early = cells.Where(static cell => cell is { Apart: null, Result.Time.EndedEarly: true }).ToList();
        var unsettled = cells.Where(static cell => cell is { Apart: null, Result.Time.Settled: false }).ToList();
        return
        [
            .. marked.Count == 0
                ? []
                : new[]
                {
                    Text(
                        $"{ExclusionWords.Marked}: {marked.Count} of {Plural.Format(cells.Count, "cell")}, whose model uses the latencies that this machine reached: {CellPlaces.ListMissed(plan, marked)}."
                    ),
                },
            .. unsettled.Count == 0
                ? []
                : new[]
                {
                    Text($"{ExclusionWords.NoSteadyState}: {string.Join(", ", CellPlaces.List(plan, unsettled))}. A longer --warm-up gives another rate."),
                },
            .. early.Count == 0
                ? []
                : new[]
                {
                    Text(
                        $"{ExclusionWords.EndedEarly}: {string.Join(", ", CellPlaces.List(plan, early))}. Their rate was below half of the best of the sweep."
                    ),
                },
        ];
    }

    private static IEnumerable<string> Discarded(ComparisonPlan plan, ComparisonConclusion conclusion) =>
        conclusion.DiscardedBlocks == 0
            ? []
            :
            [
                Text(
                    $"{ExclusionWords.Discarded}: {Plural.Format(conclusion.DiscardedBlocks, "block")} whose two runs of {plan.Reference.Label} differ by more than {100 * DriftRule.MostDrift:0} %, or of which one is missing."
                ),
            ];

    // Written only where a conclusion is drawn from the cells.
    private static IEnumerable<string> TooShort(ComparisonPlan plan, IReadOnlyList<ComparedCell> cells) =>
        !plan.IsIndication && cells.Any(static cell => cell is { Apart: null, Result.Time.Settled: null })
            ? [Text($"{plan.Length.TotalSeconds:0.#} s are too short to detect a steady state. Six windows of 1 s are needed (--measure).")]
            : [];

    private static string Times(double? ratio) => ratio is { } times ? Text($"{times:0.0#} x") : "-";

    private static string Range(Interval? interval) => interval is { } ends ? Text($"{ends.Low:0.00} to {ends.High:0.00}") : "no interval";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
