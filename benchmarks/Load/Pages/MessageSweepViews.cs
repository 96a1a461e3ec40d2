using System.Globalization;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.MessageSweeping;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Settings;
using MathNet.Numerics.Statistics;

namespace EventHubThroughput.Load.Pages;

/// <summary>The parts of pages that show a processor sweep.</summary>
internal static class MessageSweepViews
{
    /// <summary>
    /// The whole report or a view. <c>facts</c> has date, machine and command, <c>sentences</c> the conclusions, <c>points</c> a row for each point with its
    /// repeats. <c>rate CONCURRENCY</c> is the rate on all cores.
    /// </summary>
    public static string Render(MessageSweepResult result, string view) =>
        view.Split(' ') switch
        {
            [""] => MessageSweepReports.Of(ReportFormat.Markdown, result with { Sentences = MessageSweepSentences.Of(result.Cells) }).TrimEnd(),
            ["facts"] => GetFacts(result),
            ["sentences"] => string.Join('\n', MessageSweepSentences.Of(result.Cells).Select(static sentence => $"- {sentence}")),
            ["points"] => GetPoints(result),
            ["rate", var concurrency] => Figures.Rate(
                GetRates(GetPoint(result).OrderByDescending(static same => same.Key.Cores).First(same => $"{same.Key.Concurrency}" == concurrency)).Median()
            ),
            _ => throw new UsageException($"view '{view}': unknown, allowed facts, sentences, points and rate CONCURRENCY"),
        };

    private static string GetFacts(MessageSweepResult result)
    {
        var (sweep, machine, program) = (result.Sweep, result.Machine, result.Program);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{sweep.StartedUtc:yyyy-MM-dd}, commit {program.Commit ?? "unknown"}, {machine.ProcessorCountSeen} cores ({machine.CpuModel}), {machine.Runtime}, load {machine.LoadAverage:0.0} at the end. {result.Cells.Count} cells of {sweep.WarmUpS:0.#} + {sweep.MeasureS:0.#} s.\n\n```\n{CommandText.Of(ComparisonViews.GetArguments(sweep.Arguments))}\n```"
        );
    }

    private static IEnumerable<IGrouping<MessagePoint, MessageCell>> GetPoint(MessageSweepResult result) =>
        result.Cells.GroupBy(static cell => cell.Point with { Repeat = 0 });

    private static string GetPoints(MessageSweepResult result)
    {
        var points = GetPoint(result)
            .OrderByDescending(static same => same.Key.Cores)
            .ThenBy(static same => same.Key.Concurrency)
            .ThenBy(static same => same.Key.ClientsText, StringComparer.Ordinal)
            .ToList();
        return string.Join(
            '\n',
            [
                $"| clients, concurrency, cores | messages/s, median of {points.Max(static same => same.Count())} (lowest to highest) | of what the latencies allow | CPU % per core, mean and most | most resident, MiB | published/s | published CPU % | published MB |",
                "|---|--:|--:|--:|--:|--:|--:|--:|",
                .. points.Select(GetRow),
            ]
        );
    }

    private static string GetRow(IGrouping<MessagePoint, MessageCell> cells)
    {
        var (point, rates) = (cells.Key, GetRates(cells));
        var published = PublishedFigures.Of(point);
        return string.Join(
            " | ",
            $"| {point.ClientsText}, {point.Concurrency}{(point.Threads > 0 ? $", {point.ThreadText} threads" : "")}, {point.Cores} {(point.Cores == 1 ? "core" : "cores")}",
            $"{Figures.Rate(rates.Median())} ({Figures.Rate(rates.Min())} to {Figures.Rate(rates.Max())})",
            Figures.Percent(cells.Select(static cell => cell.MessagesPerS!.Value / cell.ModelPerS).Median()),
            $"{Figures.Count(cells.Select(static cell => cell.CpuMeanPercent!.Value).Median())}, {Figures.Count(cells.Max(static cell => cell.CpuMaxPercent))}",
            Figures.Mebibytes(cells.Max(static cell => cell.PeakRssBytes)),
            Ascii(published?.MessagesPerS),
            Ascii(published?.CpuPercent),
            $"{Ascii(published?.MemoryMb)} |"
        );
    }

    private static string Ascii(double? value) => Figures.Ascii(Figures.Count(value));

    private static List<double> GetRates(IEnumerable<MessageCell> cells) => [.. cells.Select(static cell => cell.MessagesPerS).OfType<double>()];
}
