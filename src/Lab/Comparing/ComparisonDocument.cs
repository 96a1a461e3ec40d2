using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing.Columns;
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
    private const int Schema = 1;

    /// <param name="plan">The plan of the comparison.</param>
    /// <param name="cells">Every cell that is over, in the order in which they were run.</param>
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
        var strategies = plan.Configurations.Select(configuration => StrategyOf(plan, configuration, cells, conclusion)).ToList();
        var pairs = plan.Sweep.Count > 0 ? [] : PairsOf(compared, strategies, plan.By);
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
                ExitCode = CodeOf(plan, cells, complete),
            },
            Program = ResultDocument.DescribeProgram(version, plan.Reference.Options.Clients),
            Machine = ResultDocument.Machine(),
            Settings = SettingsOf(plan),
            Sentences = [.. sweep?.Select(static series => series.Sentence) ?? [], .. ComparisonSentences.Of(plan, strategies, pairs, cells, conclusion)],
            Sweep = sweep,
            Strategies = strategies,
            Pairs = pairs,
            DiscardedBlocks = [.. blocks.Where(block => !compared.Kept.Contains(block.Value)).Select(static block => block.Key)],
            Cells = cells,
        };
    }

    // A failed verdict has precedence. Next is a cell that no process finished, or a comparison that was cut short.
    private static int CodeOf(ComparisonPlan plan, IReadOnlyList<ComparedCell> cells, bool complete)
    {
        var safe = cells.Where(cell => plan.Configurations.Any(one => one.Label == cell.Label && !one.Options.Processing.Strategy.IsUnsafe)).ToList();
        return ExitCode.Worst([
            .. safe.Select(static cell => cell.Result?.Safety.Verdict == SafetyVerdict.Failed ? ExitCode.VerificationFailed : ExitCode.Done),
            .. safe.Select(static cell => cell.Result?.Run.ExitCode ?? ExitCode.Dependency),
            complete ? ExitCode.Done : ExitCode.Interrupted,
        ]);
    }

    private static ComparisonSettings SettingsOf(ComparisonPlan plan) =>
        new()
        {
            Strategies = [.. plan.Configurations.Select(static configuration => configuration.Label)],
            Repeats = plan.Repeats,
            Seed = plan.Seed,
            WarmupS = plan.WarmUp.TotalSeconds,
            MeasureS = plan.Length.TotalSeconds,
            Profile = plan.Load.Profile,
            Faults = plan.Load.Faults?.Split(','),
            Partitions = plan.Load.Partitions,
            Events = plan.Load.Events,
            BodySizes = plan.Load.Size.Text,
            Keys = plan.Load.Keys,
            KeySkew = plan.Load.KeySkew,
            Batch = plan.Reference.Options.Processing.BatchSize,
            Degree = plan.Reference.Options.Processing.MaxConcurrency,
            Rate = plan.Load.Rate,
            ComparedBy = plan.By,
            PricePer10000Operations = plan.Price,
        };

    private static ComparedStrategy StrategyOf(
        ComparisonPlan plan,
        ComparedConfiguration configuration,
        IReadOnlyList<ComparedCell> all,
        ComparisonConclusion conclusion
    )
    {
        var (strategy, label) = (configuration.Options.Processing.Strategy, configuration.Label);
        var own = all.Where(cell => cell.Label == label).ToList();
        var good = GoodOf(all, label);
        var concluded = conclusion.Strategies.FirstOrDefault(one => one.Strategy == label);
        var pair = concluded?.ToBaseline;
        var isRate = ComparedFigure.IsRate(plan.By);
        var rate = isRate ? concluded?.Rate?.Median ?? MedianOf(good, FigureOf) : MedianOf(good, EventsOf);
        var isReference = configuration == plan.Reference;
        return new ComparedStrategy
        {
            Label = label,
            Name = strategy.Name,
            Summary = strategy.Summary,
            Order = OrderPromises.NameOf(OrderPromises.PromiseOf(strategy)),
            Unsafe = strategy.Unsafe?.Why,
            RepeatsAtMost = configuration.Options.Processing.Limits.Replay,
            Cells = good.Count,
            EventsPerS = rate,
            NotKeptPerS = MedianOf(own.Where(static cell => cell.Apart is null).Select(static cell => cell.Search?.NotKeptPerS)),
            EventsPerS95 = isRate ? IntervalOf(concluded?.Rate) : null,
            Ratio = isReference ? 1 : pair?.Ratio?.Median ?? (isRate ? rate / MedianOf(GoodOf(all, plan.Reference.Label), FigureOf) : null),
            Ratio95 = isReference ? null : IntervalOf(pair?.Ratio),
            FasterIn = pair?.FasterIn ?? 0,
            PHolm = pair?.Ratio?.Count >= MedianInterval.FewestForInterval ? pair.PHolm : null,
            Word = isReference ? "reference" : WordOf(pair),
            PredictedEventsPerS = MedianOf(good, static result => result.Model?.PredictedEventsPerS),
            MeasuredToPredicted = MedianOf(good, static result => result.Model?.MeasuredToPredicted),
            EventP50Ms = MedianOf(good, static result => EventOf(result)?.P50Ms),
            EventP99Ms = PooledTimes.EventP99Ms(good),
            EndToEndP50Ms = MedianOf(good, static result => ComparedFigure.EndToEnd(result)?.P50Ms),
            EndToEndP99Ms = MedianOf(good, static result => ComparedFigure.EndToEnd(result)?.P99Ms),
            EndToEndP999Ms = MedianOf(good, static result => ComparedFigure.EndToEnd(result)?.P999Ms),
            FallsBehindIn = plan.IsOpenLoop ? good.Count(static result => result.Input.FallsBehind == true) : null,
            ConsumerCpuUsPerEvent = MedianOf(good, static result => result.Resources.Consumer.CpuUsPerEvent),
            EmulatorCpuUsPerEvent = MedianOf(good, static result => result.Resources.Emulator.CpuUsPerEvent),
            ConsumerPeakRssBytes = good.Max(static result => result.Resources.Consumer.PeakRssBytes),
            CheckpointsPerThousand = MedianOf(good, CheckpointsOf),
            CheckpointCostPerMillion = CostOf(MedianOf(good, CheckpointsOf)),
            UploadsPerThousand = MedianOf(good, UploadsOf),
            StorageCostPerMillion = CostOf(MedianOf(good, static result => CheckpointsOf(result) + UploadsOf(result))),
            Figures = StrategyColumns.Measured.ToDictionary(static one => one.Name, one => MedianOf(good, one.Of), StringComparer.Ordinal),
            Partitions = configuration.Options.Load?.Partitions,
            Verdict =
                own.Exists(static cell => cell.Result?.Safety.Verdict == SafetyVerdict.Failed) ? SafetyVerdict.Failed
                : own.Count > 0 && own.TrueForAll(static cell => cell.Result?.Safety.Verdict == SafetyVerdict.Clean) ? SafetyVerdict.Clean
                : SafetyVerdict.Undecided,
        };

        double? CostOf(double? perThousand) => perThousand * 1000 / 10_000 * plan.Price;

        double? FigureOf(RunResult result) => ComparedFigure.Of(result, plan.By);
    }

    private static double? EventsOf(RunResult result) => result.Throughput.EventsPerS;

    private static StageFigures? EventOf(RunResult result) => result.Stages.GetValueOrDefault("event");

    private static double? CheckpointsOf(RunResult result) => PerThousand(result, "checkpoint");

    private static double? UploadsOf(RunResult result) => PerThousand(result, "blob");

    private static double? PerThousand(RunResult result, string stage) =>
        result.Throughput.Events > 0 && result.Stages.GetValueOrDefault(stage) is { } writes ? 1000.0 * writes.Count / result.Throughput.Events : null;

    private static List<ComparedPair> PairsOf(ComparedBlocks compared, IEnumerable<ComparedStrategy> strategies, ComparedBy by)
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
                Ratio95 = IntervalOf(pair.Ratio),
                PHolm = tested.IndexOf(pair) is >= 0 and var place ? corrected[place] : null,
                FasterIn = pair.FasterIn,
                Blocks = pair.Ratio?.Count ?? 0,
                Word = WordOf(pair),
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

    private static Interval? IntervalOf(MedianInterval? figures) =>
        figures is { Low95: { } low, High95: { } high } ? new Interval { Low = low, High = high } : null;

    private static string WordOf(PairConclusion? pair) =>
        pair?.Word switch
        {
            null => "not compared",
            ConclusionWord.NoDifference => "no difference",
            ConclusionWord.NotDecided => "not decided",
            ConclusionWord.Withheld => pair.Withheld switch
            {
                WithheldReason.EmulatorBound => "not ranked: emulator-bound",
                WithheldReason.InputBound => "not ranked: input-bound",
                WithheldReason.FallsBehind => "not ranked: growing lag",
                _ => "not ranked: no block has a rate of both",
            },
            ConclusionWord.Noisy => "noisy, no conclusion",
            var word => word.Value.ToString().ToLowerInvariant(),
        };

    private static List<RunResult> GoodOf(IReadOnlyList<ComparedCell> all, string label) =>
        [.. all.Where(cell => cell.Label == label && cell.Apart is null).Select(static cell => cell.Result!)];

    private static double? MedianOf(List<RunResult> results, Func<RunResult, double?> of) => MedianOf(results.Select(of));

    private static double? MedianOf(IEnumerable<double?> figures)
    {
        var values = figures.OfType<double>().ToList();
        return values.Count == 0 ? null : values.Median();
    }
}
