using System.Globalization;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Runs one cell at the rate of the plan, with a separate sender.</summary>
internal delegate Task<FinishedCell> RunAtRate(ComparisonPlan plan, Cell cell, CancellationToken cancellationToken);

/// <summary>
/// Searches the sustainable rate of a cell, run after run, each at a different rate. Each run is a fresh process with its own services, as the cells of a
/// comparison at a rate are.
/// </summary>
/// <param name="plan">The comparison.</param>
/// <param name="run">Runs one.</param>
/// <param name="said">Receives a line for each run that has ended.</param>
internal sealed class RateSearch(ComparisonPlan plan, RunAtRate run, Action<string> said)
{
    /// <summary>How many runs a search takes, as a rule.</summary>
    public const int UsualRuns = 9;

    // No run exceeds the model's rate, so the search begins at this share of it. Without a prediction it begins at the usual guess.
    private const double ShareOfModel = 0.8;
    private const double UsualGuess = 100;

    // The highest rate that the sender accepts and claims to keep.
    private const double MostRate = 1_000_000;
    private const double MostEvents = 10_000_000;

    /// <summary>The least rate at which a run yields a percentile.</summary>
    public static double LeastRate(TimeSpan length) => ComparedFigure.EventsForP50 / length.TotalSeconds;

    /// <summary>
    /// Searches the rate. Returns the last run at the rate that was found, with the runs of the search. If no rate was found, returns the last run with the
    /// reason.
    /// </summary>
    public async Task<FinishedCell> RunAsync(Cell cell, CancellationToken cancellationToken)
    {
        var most = Math.Min(MostRate, MostEvents / (plan.WarmUp + plan.Length).TotalSeconds);
        var search = new SustainableRateSearch(GuessFor(cell.ComparedConfiguration), LeastRate(plan.Length), most);
        List<(TriedRate Tried, FinishedCell Cell)> runs = [];
        while (search.End == RateSearchEnd.None)
        {
            var one = await run(plan.At(search.Rate), cell with { Names = cell.Names with { Search = runs.Count } }, cancellationToken);
            var tried = JudgeRate(one, search.Rate);
            runs.Add((tried, one));
            said(Text($"{cell.ComparedConfiguration.Label} at {tried.RatePerS} events/s: {GetWord(tried, one)}"));
            search.Add(tried.Outcome);
        }

        var shown = runs.LastOrDefault(one => one.Tried.Outcome == RateOutcome.Kept && one.Tried.RatePerS == search.Kept).Cell ?? runs[^1].Cell;
        return shown with
        {
            Result = search.End == RateSearchEnd.InputBound ? BoundByInput(shown.Result) : shown.Result,
            Search = new SearchedRate
            {
                KeptPerS = search.Kept,
                NotKeptPerS = search.NotKept,
                End = search.End,
                Runs = [.. runs.Select(static one => one.Tried)],
            },
            Failure = ReasonFor(search, runs[^1].Cell),
        };
    }

    // The sender could not send more, so the sustainable rate is at least this.
    private static RunResult? BoundByInput(RunResult? result) =>
        result is null ? null : result with { Bounds = result.Bounds with { Bound = RateBound.Input } };

    private double GuessFor(ComparedConfiguration configuration) =>
        ModelChoice.GetPrediction(configuration.Options with { Load = configuration.GetLoad(plan) })?.EventsPerSecond * ShareOfModel ?? UsualGuess;

    private static TriedRate JudgeRate(FinishedCell one, double rate) =>
        new()
        {
            RatePerS = rate,
            Outcome = one switch
            {
                { Failure: not null } or { Result: null } or { Sent: null } => RateOutcome.Unusable,
                { Sent.IsShort: true } => RateOutcome.SentTooSlowly,
                { Result.Input.FallsBehind: true } => RateOutcome.FellBehind,
                { Apart: not null } or { Result.Input.FallsBehind: null } => RateOutcome.Unusable,
                _ => RateOutcome.Kept,
            },
            AchievedPerS = one.Sent?.AchievedPerS,
            LagGrowth = one.Result?.Input.LagGrowth,
            EndToEndP99Ms = ComparedFigure.EndToEnd(one.Result)?.P99Ms,
        };

    private static string GetWord(TriedRate tried, FinishedCell one) =>
        tried.Outcome switch
        {
            RateOutcome.Kept => "kept",
            RateOutcome.FellBehind => Text($"growing lag, {100 * tried.LagGrowth:0.#} % of the time"),
            RateOutcome.SentTooSlowly => Text($"only {tried.AchievedPerS:0.#} events/s were sent"),
            _ => $"no result: {NothingIn(one)}",
        };

    private static string NothingIn(FinishedCell one) => one.Apart ?? "no event was completed in one of its windows";

    private static string? ReasonFor(SustainableRateSearch search, FinishedCell last) =>
        search.End switch
        {
            RateSearchEnd.NoneKept => Text(
                $"it does not sustain {search.NotKept} events/s, and a lower rate gives fewer than {ComparedFigure.EventsForP50} events to measure"
            ),
            RateSearchEnd.Unusable => Text($"two runs at {search.Rate} events/s had no result: {NothingIn(last)}"),
            RateSearchEnd.Undecided => Text($"{SustainableRateSearch.MostRuns} runs contradict each other"),
            RateSearchEnd.InputBound when search.Kept is null => Text($"its sender did not reach {search.NotKept} events/s"),
            _ => null,
        };

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
