using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing.Columns;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Comparing.Sweeping;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Settings;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Builds the result of a comparison from its cells.</summary>
internal static class ComparisonDocument
{
    /// <summary>The word of a pair that no block has measured.</summary>
    public const string NothingToCompare = "not ranked: no block has a rate of both";

    // A cell of a sweep is short, or ends early. Its rate may still have changed.
    private const string SteadyStateUnknown = "not decided: steady state unknown";

    private const int Schema = 1;

    /// <param name="plan">The plan of the comparison.</param>
    /// <param name="cells">Every cell that has ended, in the order in which they were run.</param>
    /// <param name="startedUtc">When it began.</param>
    /// <param name="took">How long it took.</param>
    /// <param name="complete">Whether the requested number of blocks counts.</param>
    /// <param name="version">The program's version.</param>
    public static ComparisonResult Of(
        ComparisonPlan plan,
        IReadOnlyList<ComparedCell> cells,
        DateTimeOffset startedUtc,
        TimeSpan took,
        bool complete,
        string version
    )
    {
        var blocks = Blocks.Of(plan, cells);
        var compared = new ComparedBlocks([.. blocks.Values], plan.Reference.Label, plan.Seed);
        var conclusion = ComparisonConclusion.Of([.. blocks.Values], plan.Reference.Label, plan.Seed);
        var measured = plan.Configurations.Select(configuration => GetStrategy(plan, configuration, cells, conclusion)).ToList();
        var pairs = plan.Sweep.Count > 0 ? [] : GetPairs(compared, measured, plan.By);
        var strategies = WithheldFigures.AddTo(plan, measured, pairs, cells);
        var sweep = plan.Sweep.Count > 0 ? SweepDocument.Of(plan.Sweep, strategies, cells, plan.Seed) : null;
        return new ComparisonResult
        {
            Comparison = new ComparisonHeader
            {
                Schema = Schema,
                Id = plan.Id,
                StartedUtc = plan.Resumed?.Comparison.StartedUtc ?? startedUtc,
                Kind = ResultKind.Comparison,
                Arguments = plan.Arguments,
                TookS = took.TotalSeconds + (plan.Resumed?.Comparison.TookS ?? 0),
                Complete = complete,
                ExitCode = GetCode(plan, cells, complete),
            },
            Program = ResultDocument.DescribeProgram(version, plan.Reference.Options.Clients),
            Machine = plan.MeasuredOn ?? ResultDocument.Machine(),
            Settings = GetSettings(plan),
            Sentences =
            [
                .. complete ? [] : InterruptionSentences.Of(plan, cells),
                .. sweep is not null && WithheldFigures.Are(plan, strategies, pairs, cells) ? ExclusionSentences.Explain(plan, strategies, pairs, cells) : [],
                .. cells.Count == 0 || sweep is null ? [] : GetSweepSentences(plan, sweep, strategies, pairs, cells, compared),
                .. cells.Count == 0 && !complete ? [] : ComparisonSentences.Of(plan, strategies, pairs, cells, conclusion),
            ],
            Sweep = sweep,
            Strategies = strategies,
            Pairs = pairs,
            DiscardedBlocks = [.. blocks.Where(block => !compared.Kept.Contains(block.Value)).Select(static block => block.Key)],
            Cells = cells,
        };
    }

    private static IEnumerable<string> GetSweepSentences(
        ComparisonPlan plan,
        IReadOnlyList<SweptSeries> sweep,
        IReadOnlyList<ComparedStrategy> strategies,
        IReadOnlyList<ComparedPair> pairs,
        IReadOnlyList<ComparedCell> cells,
        ComparedBlocks compared
    )
    {
        var begin = WithheldFigures.Are(plan, strategies, pairs, cells) ? $"{ExclusionWords.Counted}: " : "";
        return
        [
            .. SweepAnswer.Describe(sweep, strategies, pair => GetSweptWord(cells, pair), compared) is { } answer ? new[] { begin + answer } : [],
            .. sweep.Select(static series => series.Sentence),
        ];
    }

    private static string GetSweptWord(IReadOnlyList<ComparedCell> cells, PairConclusion pair) =>
        pair.Word is ConclusionWord.Faster or ConclusionWord.Slower
        && cells.Any(cell => cell is { Apart: null, Result.Time.Settled: null } && (cell.Label == pair.Strategy || cell.Label == pair.Reference))
            ? SteadyStateUnknown
            : GetWord(pair);

    // A failed verdict has precedence. Next is a cell that no process finished, or a comparison that was cut short.
    private static int GetCode(ComparisonPlan plan, IReadOnlyList<ComparedCell> cells, bool complete)
    {
        var safe = cells.Where(cell => plan.Configurations.Any(one => one.Label == cell.Label && !one.Options.Processing.Strategy.IsUnsafe)).ToList();
        return ExitCode.Worst([
            .. safe.Select(static cell => cell.Result?.Safety.Verdict == SafetyVerdict.Failed ? ExitCode.VerificationFailed : ExitCode.Done),
            .. safe.Select(static cell => cell.Result?.Run.ExitCode ?? ExitCode.Dependency),
            complete ? ExitCode.Done : ExitCode.Interrupted,
        ]);
    }

    private static ComparisonSettings GetSettings(ComparisonPlan plan) =>
        new()
        {
            Strategies = [.. plan.Configurations.Select(static configuration => configuration.Label)],
            Repeats = plan.Repeats,
            Seed = plan.Seed,
            WarmupS = plan.WarmUp.TotalSeconds,
            MeasureS = plan.Length.TotalSeconds,
            Profile = plan.Services is null ? plan.Load.Profile : null,
            Services = plan.Services?.Described,
            Faults = plan.Load.Faults?.Split(','),
            Partitions = plan.Load.Partitions,
            Events = plan.Load.Events,
            BodySizes = plan.Load.Size.Text,
            Keys = plan.Load.Keys,
            KeySkew = plan.Load.KeySkew,
            Topic = plan.Load.Topic || plan.Services?.Settings.Topic is not null ? true : null,
            Batch = plan.Reference.Options.Processing.BatchSize,
            Degree = plan.Reference.Options.Processing.MaxConcurrency,
            Rate = plan.Load.Rate,
            ComparedBy = plan.By,
            PricePer10000Operations = plan.Price,
        };

    private static ComparedStrategy GetStrategy(
        ComparisonPlan plan,
        ComparedConfiguration configuration,
        IReadOnlyList<ComparedCell> all,
        ComparisonConclusion conclusion
    )
    {
        var (strategy, label) = (configuration.Options.Processing.Strategy, configuration.Label);
        var own = all.Where(cell => cell.Label == label).ToList();
        var good = GetGood(all, label);
        var concluded = conclusion.Strategies.FirstOrDefault(one => one.Strategy == label);
        var pair = concluded?.ToBaseline;
        var isRate = ComparedFigure.IsRate(plan.By);
        var rate = isRate ? concluded?.Rate?.Median ?? GetMedian(good, GetFigure) : GetMedian(good, GetEvents);
        var isReference = configuration == plan.Reference;
        return new ComparedStrategy
        {
            Label = label,
            Name = strategy.Name,
            Summary = strategy.Summary,
            Order = OrderPromises.GetName(OrderPromises.GetPromise(strategy)),
            Unsafe = strategy.Unsafe?.Why,
            RepeatsAtMost = configuration.Options.Processing.Limits.Replay,
            Cells = good.Count,
            EventsPerS = rate,
            NotKeptPerS = GetMedian(own.Where(static cell => cell.Apart is null).Select(static cell => cell.Search?.NotKeptPerS)),
            EventsPerS95 = isRate ? GetInterval(concluded?.Rate) : null,
            Ratio = isReference ? 1 : pair?.Ratio?.Median ?? (isRate ? rate / GetMedian(GetGood(all, plan.Reference.Label), GetFigure) : null),
            Ratio95 = isReference ? null : GetInterval(pair?.Ratio),
            FasterIn = pair?.FasterIn ?? 0,
            PHolm = pair?.Ratio?.Count >= MedianInterval.FewestForInterval ? pair.PHolm : null,
            Word =
                isReference ? "reference"
                : pair?.Unranked == UnrankedReason.FallsBehind && good.TrueForAll(static result => result.Input.FallsBehind != true)
                    ? $"not ranked: growing lag of {plan.Reference.Label}"
                : plan.Sweep.Count > 0
                && good.Exists(static result => result.Time.Settled is null)
                && pair?.Word is ConclusionWord.Faster or ConclusionWord.Slower
                    ? SteadyStateUnknown
                : GetWord(pair),
            PredictedEventsPerS = GetMedian(good, static result => result.Model?.PredictedEventsPerS),
            MeasuredToPredicted = GetMedian(good, static result => result.Model?.MeasuredToPredicted),
            EventP50Ms = GetMedian(good, static result => GetEvent(result)?.P50Ms),
            EventP99Ms = PooledTimes.EventP99Ms(good),
            EndToEndP50Ms = GetMedian(good, static result => ComparedFigure.EndToEnd(result)?.P50Ms),
            EndToEndP99Ms = GetMedian(good, static result => ComparedFigure.EndToEnd(result)?.P99Ms),
            EndToEndP999Ms = GetMedian(good, static result => ComparedFigure.EndToEnd(result)?.P999Ms),
            FallsBehindIn = plan.IsOpenLoop ? good.Count(static result => result.Input.FallsBehind == true) : null,
            ConsumerCpuUsPerEvent = GetMedian(good, static result => result.Resources.Consumer.CpuUsPerEvent),
            EmulatorCpuUsPerEvent = GetMedian(good, static result => result.Resources.Emulator.CpuUsPerEvent),
            ConsumerPeakRssBytes = good.Max(static result => result.Resources.Consumer.PeakRssBytes),
            CheckpointsPerThousand = GetMedian(good, GetCheckpoints),
            CheckpointCostPerMillion = GetCost(GetMedian(good, GetCheckpoints)),
            UploadsPerThousand = GetMedian(good, GetUploads),
            StorageCostPerMillion = GetCost(GetMedian(good, static result => GetCheckpoints(result) + GetUploads(result))),
            Figures = StrategyColumns.Measured.ToDictionary(static one => one.Name, one => GetMedian(good, one.Of), StringComparer.Ordinal),
            Partitions = configuration.Options.Load?.Partitions,
            Verdict =
                own.Exists(static cell => cell.Result?.Safety.Verdict == SafetyVerdict.Failed) ? SafetyVerdict.Failed
                : own.Count > 0 && own.TrueForAll(static cell => cell.Result?.Safety.Verdict == SafetyVerdict.Clean) ? SafetyVerdict.Clean
                : SafetyVerdict.Undecided,
        };

        double? GetCost(double? perThousand) => perThousand * 1000 / 10_000 * plan.Price;

        double? GetFigure(RunResult result) => ComparedFigure.Of(result, plan.By);
    }

    private static double? GetEvents(RunResult result) => result.Throughput.EventsPerS;

    private static StageFigures? GetEvent(RunResult result) => result.Stages.GetValueOrDefault("event");

    private static double? GetCheckpoints(RunResult result) => PerThousand(result, "checkpoint");

    private static double? GetUploads(RunResult result) => PerThousand(result, "blob");

    private static double? PerThousand(RunResult result, string stage) =>
        result.Throughput.Events > 0 && result.Stages.GetValueOrDefault(stage) is { } writes ? 1000.0 * writes.Count / result.Throughput.Events : null;

    private static List<ComparedPair> GetPairs(ComparedBlocks compared, IEnumerable<ComparedStrategy> strategies, ComparedBy by)
    {
        var ranked = Ranked(strategies, by);
        var pairs = ranked.SelectMany((first, place) => ranked.Skip(place + 1).Select(second => compared.Compare(first.Label, second.Label))).ToList();
        var tested = pairs.Where(static pair => pair.Ratio?.Count >= MedianInterval.FewestForInterval && pair.P is not null).ToList();
        var corrected = Holm.Adjust([.. tested.Select(static pair => pair.P!.Value)]);
        return
        [
            .. pairs.Select(pair => new ComparedPair
            {
                First = pair.Strategy,
                Second = pair.Reference,
                Ratio = pair.Ratio?.Median,
                Ratio95 = GetInterval(pair.Ratio),
                PHolm = tested.IndexOf(pair) is >= 0 and var place ? corrected[place] : null,
                FasterIn = pair.FasterIn,
                Blocks = pair.Ratio?.Count ?? 0,
                Word = GetWord(pair),
            }),
        ];
    }

    /// <summary>What was measured, the best first.</summary>
    public static IReadOnlyList<ComparedStrategy> Ranked(IEnumerable<ComparedStrategy> strategies, ComparedBy by) =>
        [
            .. strategies
                .Select(one =>
                    (
                        Strategy: one,
                        Figure: by switch
                        {
                            ComparedBy.Rate or ComparedBy.Sustained => one.EventsPerS,
                            ComparedBy.P50 => 1 / one.EndToEndP50Ms,
                            _ => 1 / one.EndToEndP99Ms,
                        }
                    )
                )
                .Where(static one => one.Figure is not null)
                .OrderByDescending(static one => one.Figure)
                .Select(static one => one.Strategy),
        ];

    private static Interval? GetInterval(MedianInterval? figures) =>
        figures is { Low95: { } low, High95: { } high } ? new Interval { Low = low, High = high } : null;

    /// <summary>The conclusion about a pair in a word.</summary>
    public static string GetWord(PairConclusion? pair) =>
        pair?.Word switch
        {
            null => "not compared",
            ConclusionWord.NoDifference => "no difference",
            ConclusionWord.NotDecided => "not decided",
            ConclusionWord.NotRanked => pair.Unranked switch
            {
                UnrankedReason.EmulatorBound => "not ranked: emulator-bound",
                UnrankedReason.InputBound => "not ranked: input-bound",
                UnrankedReason.FallsBehind => "not ranked: growing lag",
                _ => NothingToCompare,
            },
            ConclusionWord.Noisy => "noisy, no conclusion",
            var word => word.Value.ToString().ToLowerInvariant(),
        };

    private static List<RunResult> GetGood(IReadOnlyList<ComparedCell> all, string label) =>
        [.. all.Where(cell => cell.Label == label && cell.Apart is null).Select(static cell => cell.Result!)];

    private static double? GetMedian(List<RunResult> results, Func<RunResult, double?> of) => GetMedian(results.Select(of));

    private static double? GetMedian(IEnumerable<double?> figures)
    {
        var values = figures.OfType<double>().ToList();
        return values.Count == 0 ? null : values.Median();
    }
}
