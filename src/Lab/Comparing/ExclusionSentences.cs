using System.Globalization;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Comparing.Sweeping;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Excluded cells in sentences: which and why. Where they withhold the answer, also what the model predicts and what to do.</summary>
internal static class ExclusionSentences
{
    /// <summary>The excluded cells with their reasons.</summary>
    public static IEnumerable<string> List(ComparisonPlan plan, IReadOnlyList<ComparedCell> cells)
    {
        var (busy, others) = Divide(cells);
        if (busy.Count > 0)
        {
            yield return Text(
                $"{ExclusionWords.Excluded}: {busy.Count} of {Plural.Format(cells.Count, "cell")}, because this machine was too busy to keep the profile: {CellPlaces.ListMissed(plan, busy)}."
            );
        }

        if (others.Count > 0)
        {
            yield return Text($"{ExclusionWords.Excluded}: {others.Count} of {Plural.Format(cells.Count, "cell")}: {ListReasons(plan, others)}.");
        }
    }

    /// <summary>Why there is no answer or only a part of one, the model's answer, and what gives one.</summary>
    public static IEnumerable<string> Explain(
        ComparisonPlan plan,
        IReadOnlyList<ComparedStrategy> strategies,
        IReadOnlyList<ComparedPair> pairs,
        IReadOnlyList<ComparedCell> cells
    )
    {
        var (busy, others) = Divide(cells);
        var leavesAnswer = plan.Sweep.Count > 0 ? strategies.Any(static one => one.Cells > 0) : WithheldFigures.LeaveAnswer(pairs);
        var begin = leavesAnswer ? ExclusionWords.Incomplete : ExclusionWords.NoAnswer;
        if (busy.Count > 0)
        {
            yield return Text(
                $"{begin}: this machine was too busy{GetLoad(plan.MeasuredOn ?? ResultDocument.Machine())} in {busy.Count} of {Plural.Format(cells.Count, "cell")}. The latencies of the emulator were off the profile, so these cells are excluded: {CellPlaces.ListMissed(plan, busy)}."
            );
            begin = ExclusionWords.AnotherReason;
        }

        if (others.Count > 0)
        {
            yield return Text(
                $"{begin}: {others.Count} of {Plural.Format(cells.Count, "cell")} {(others.Count == 1 ? "is" : "are")} excluded. {ListReasons(plan, others)}."
            );
        }

        if ((plan.Sweep.Count > 0 ? SweepPrediction.Describe(plan.Load.Profile, plan.Sweep, strategies) : GetPredicted(plan, strategies)) is { } predicted)
        {
            yield return predicted;
        }

        yield return string.Join(' ', Advise(plan, strategies, busy, others));
    }

    private static (List<ComparedCell> Busy, List<ComparedCell> Others) Divide(IReadOnlyList<ComparedCell> cells)
    {
        var apart = cells.Where(static cell => cell.Apart is not null).ToList();
        var busy = apart.Where(static cell => cell.ProfileMissedBy > FinishedCell.MostMissed).ToList();
        return (busy, [.. apart.Except(busy)]);
    }

    private static string ListReasons(ComparisonPlan plan, List<ComparedCell> cells) =>
        string.Join("; ", CellPlaces.List(plan, cells, static cell => cell.Apart, static some => $": {some[0].Apart}"));

    private static string GetLoad(MachineDetails machine) =>
        machine.LoadAverage is { } load ? Text($" (load average {load:0.0}, {Plural.Format(machine.ProcessorCountSeen, "processor")})") : "";

    private static string? GetPredicted(ComparisonPlan plan, IReadOnlyList<ComparedStrategy> strategies)
    {
        var ranked = strategies
            .Where(static one => one.ProfilePredictedEventsPerS is not null)
            .OrderByDescending(static one => one.ProfilePredictedEventsPerS)
            .ToList();
        if (ranked is not [var first, _, ..])
        {
            return null;
        }

        var reference = strategies[0];
        var ratio =
            first != reference && first.ProfilePredictedEventsPerS / reference.ProfilePredictedEventsPerS is { } times
                ? Text($" {first.Label} is {Figures.Ratio(times)} x as fast as {reference.Label}.")
                : "";
        return Text(
            $"The model predicts for {plan.Load.Profile}, in events/s: {string.Join(", ", ranked.Select(static one => $"{one.Label} {Figures.Rate(one.ProfilePredictedEventsPerS)}"))}.{ratio}"
        );
    }

    private static IEnumerable<string> Advise(
        ComparisonPlan plan,
        IReadOnlyList<ComparedStrategy> strategies,
        List<ComparedCell> busy,
        List<ComparedCell> others
    )
    {
        if (strategies.Any(static one => one.Excluded is not null))
        {
            yield return "Figures in brackets are of excluded cells, and nothing is concluded from them.";
        }

        if (busy.Count > 0)
        {
            yield return "Stop other programs and run the command again. A lower --degree or a profile with longer latencies needs less of the machine.";
        }

        if (others.Any(static cell => cell.Result?.Time.Settled == false))
        {
            yield return "A longer --warm-up helps a cell to a steady state.";
        }

        if (others.Any(static cell => cell.Result is null))
        {
            yield return "Run the command again with --log-level debug for a cell without a result.";
        }

        if (plan.IsIndication)
        {
            yield return Text($"With --repeats {Comparison.MedianInterval.FewestForInterval} a configuration has more cells than one.");
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
