using System.Globalization;
using System.Text;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Pages;

/// <summary>The parts of pages that show a comparison or a sweep.</summary>
internal static class ComparisonViews
{
    private const int MostListed = 20;
    private const string Allowed =
        "allowed facts, table, headline, degrees, grid, rounds LABEL,..., near PERCENT, costs, cells, ratio LABEL, rate LABEL and use SERIES";

    /// <summary>The whole report, or one of its parts.</summary>
    public static string Render(ComparisonResult result, string view) =>
        view.Split(' ', 2) switch
        {
            [""] => GetReport(result),
            ["facts"] => GetFacts(result),
            ["table"] => GetTable(result),
            ["headline"] => GetHeadline(result),
            ["degrees"] => GetDegrees(result.Sweep ?? []),
            ["grid"] => ModelGrid.Render(result),
            ["rounds", var labels] => RoundsTable.Render(result, labels.Split(',')),
            ["near", var percent] => GetNear(result, double.Parse(percent, CultureInfo.InvariantCulture) / 100),
            ["costs"] => GetCosts(result),
            ["cells"] => Figures.Count(result.Cells.Count),
            ["ratio", var label] => Figures.Ratio(Find(result, label).Ratio),
            ["rate", var label] => Figures.Rate(Find(result, label).EventsPerS),
            ["use", var series] => Figures.Count(result.Sweep?.FirstOrDefault(one => one.Label == series)?.Recommended),
            _ => throw new UsageException($"view '{view}': unknown, {Allowed}"),
        };

    private static ComparedStrategy Find(ComparisonResult result, string label) =>
        result.Strategies.FirstOrDefault(one => one.Label == label) ?? throw new UsageException($"configuration '{label}': not in the comparison");

    // The build that renders a page changes without its figures.
    private static string GetReport(ComparisonResult result) =>
        string.Join('\n', MarkdownReport.Of(result).TrimEnd().Split('\n').Where(static line => !line.StartsWith("| rendered by |", StringComparison.Ordinal)));

    private static string GetTable(ComparisonResult result)
    {
        var text = new StringBuilder();
        MarkdownReport.AppendStrategies(text, result);
        return text.ToString().TrimEnd();
    }

    private static string GetFacts(ComparisonResult result)
    {
        var (settings, machine, program) = (result.Settings, result.Machine, result.Program);
        var load = machine.LoadAverage is { } average ? Text($", load {average:0.0} at the end") : "";
        var clean = result.Strategies.All(static one => one.Verdict == SafetyVerdict.Clean) ? "All verdicts are clean." : "Not all verdicts are clean.";
        return Text(
                $"{result.Comparison.StartedUtc:yyyy-MM-dd}, commit {program.Commit ?? "unknown"}, {machine.ProcessorCountSeen} cores{(machine.CpuModel is { } model ? $" ({model})" : "")}, {machine.Runtime}{load}, clients {program.Clients}."
            )
            + Text($"\n{result.Cells.Count:N0} cells of {settings.WarmupS:0.###} + {settings.MeasureS:0.###} s in {result.Comparison.TookS:N0} s. {clean}")
            + $"\n\n```\n{CommandText.Of(GetArguments(result.Comparison.Arguments))}\n```";
    }

    /// <summary>Arguments without the temporary file of docs/results/make. A long list shows its ends, and docs/results/make has all of it.</summary>
    public static IReadOnlyList<string> GetArguments(IReadOnlyList<string> arguments) =>
        [.. arguments.Where((argument, place) => argument != "--output" && (place == 0 || arguments[place - 1] != "--output")).Select(Shorten)];

    private static string Shorten(string argument) =>
        argument.Split(',') is { Length: > MostListed } parts ? $"{parts[0]},{parts[1]},...,{parts[^1]}" : argument;

    private static string GetHeadline(ComparisonResult result)
    {
        var best = result.Pairs[0];
        return Text($"`{best.First}` {best.Ratio:0.00} x `{best.Second}`{(best.Ratio95 is { } ends ? Text($" ({ends.Low:0.00} to {ends.High:0.00})") : "")}");
    }

    private static string GetDegrees(IReadOnlyList<SweptSeries> series)
    {
        var degrees = series.SelectMany(static one => one.Degrees).Select(static one => one.Degree).Distinct().Order().ToList();
        return string.Join(
            '\n',
            [
                $"| events/s by degree | {string.Join(" | ", degrees)} | more degree stops helping at |",
                $"|---|{string.Concat(Enumerable.Repeat("--:|", degrees.Count + 1))}",
                .. series.Select(one =>
                    $"| {GetName(one.Label)} | {string.Join(" | ", degrees.Select(degree => GetRate(one.Degrees.FirstOrDefault(found => found.Degree == degree))))} | {GetKnee(one.Knee)} |"
                ),
            ]
        );
    }

    private static string GetName(string label) => label.Replace(":batch=", ", batch ", StringComparison.Ordinal);

    private static string GetRate(SweptDegree? degree) => degree?.EventsPerS?.ToString("N0", CultureInfo.InvariantCulture) ?? "-";

    private static string GetKnee(FittedFigure? knee) =>
        knee is { Low: { } low, High: { } high } ? $"{GetDegree(knee.Value)} ({GetDegree(low)} to {GetDegree(high)})" : "-";

    private static string GetDegree(double degree) => degree.ToString(degree < 100 ? "0.#" : "N0", CultureInfo.InvariantCulture);

    private static string GetCosts(ComparisonResult result) =>
        string.Join(
            '\n',
            [
                $"| profile {result.Settings.Profile}, one partition | events/s | consumer, us/event | emulator, us/event |",
                "|---|--:|--:|--:|",
                .. result.Strategies.Select(static one =>
                    $"| {one.Label} | {Figures.Rate(one.EventsPerS)} | {Figures.Count(one.ConsumerCpuUsPerEvent)} | {Figures.Count(one.EmulatorCpuUsPerEvent)} |"
                ),
            ]
        );

    private static string GetNear(ComparisonResult result, double most)
    {
        var cells = result.Cells.Where(static cell => cell is { Apart: null, Result.Model.MeasuredToPredicted: not null }).ToList();
        return Text($"{cells.Count(cell => Math.Abs(cell.Result!.Model!.MeasuredToPredicted!.Value - 1) <= most)} of {cells.Count}");
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
