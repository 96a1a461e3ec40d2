using System.Globalization;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>The totals of a supervision: aligned text for a terminal, Markdown for a file.</summary>
internal static class SupervisionTable
{
    private const string None = "-";

    /// <param name="plan">What was supervised.</param>
    /// <param name="allCounters">The counters of each strategy.</param>
    /// <param name="columns">The width of the terminal. Null for Markdown.</param>
    /// <param name="output">Receives the tables.</param>
    public static void Write(SupervisionPlan plan, IReadOnlyList<SupervisionCounters> allCounters, int? columns, TextWriter output)
    {
        WriteTable(GetTotals(plan, allCounters), columns, output);
        if (allCounters.Sum(counters => counters.Repeats) is > 0 and var repeats)
        {
            output.WriteLine();
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Cycles repeated because the consumer had ended earlier: {repeats}."));
        }

        if (plan.Owners is not null)
        {
            output.WriteLine();
            WriteTable(GetHandovers(plan, [.. allCounters.SelectMany(counters => counters.Handovers)]), columns, output);
            return;
        }

        if (!plan.Drains)
        {
            output.WriteLine();
            WriteTable(GetKills(plan, allCounters), columns, output);
        }

        output.WriteLine();
        WriteTable(GetRecoveries(plan, allCounters), columns, output);
    }

    private static IReadOnlyList<TextColumn> GetTotals(SupervisionPlan plan, IReadOnlyList<SupervisionCounters> all) =>
        [
            Text("strategy", all, static one => one.Strategy),
            Number("cycles", all, static one => one.Cycles),
            Number(plan.Deed, all, static one => one.AsAsked),
            Number("events", all, static one => one.Acknowledged),
            Number("lost", all, static one => one.Lost),
            Number("ahead", all, static one => one.CheckpointAhead) with
            {
                Over = "checkpoint",
            },
            Number("duplicates", all, static one => one.Duplicates),
            Number("allowed", all, static one => one.ReplayBound),
            Number("replay", all, static one => one.LargestReplay) with
            {
                Over = "largest",
            },
            Number("cycle", all, static one => Seconds(one.Elapsed / Math.Max(1, one.Cycles))) with
            {
                Over = "s a",
                Rank = 1,
            },
        ];

    private static IReadOnlyList<TextColumn> GetKills(SupervisionPlan plan, IReadOnlyList<SupervisionCounters> all) =>
        [
            Text("killed", plan.Points, static point => point.Code()),
            Text("when", plan.Points, static point => point.Words()),
            .. all.Select(counters => Number(counters.Strategy, plan.Points, point => counters.StruckAt(point))),
        ];

    private static IReadOnlyList<TextColumn> GetRecoveries(SupervisionPlan plan, IReadOnlyList<SupervisionCounters> all)
    {
        var rows = new[] { (Owner: "by the same owner", IsSame: true), (Owner: "by a new owner", IsSame: false) }
            .Select(row =>
                (row.Owner, Bound: plan.RecoveryBound(row.IsSame), Sorted: all.SelectMany(counters => counters.Recoveries(row.IsSame)).Order().ToList())
            )
            .ToList();
        return
        [
            Text("first event after a restart, s", rows, static row => row.Owner),
            Number("restarts", rows, static row => row.Sorted.Count),
            Number("median", rows, static row => Median(row.Sorted)),
            Number("longest", rows, static row => Longest(row.Sorted)),
            Number("bound", rows, static row => Seconds(row.Bound)),
            Number("beyond", rows, static row => CountBeyond(row.Sorted, row.Bound)),
        ];
    }

    private static IReadOnlyList<TextColumn> GetHandovers(SupervisionPlan plan, IReadOnlyList<Handover> all)
    {
        var rows = new[]
        {
            (Departure: Departure.Left, Name: "released by a process that left"),
            (Departure: Departure.Died, Name: "left by a killed process"),
            (Departure: Departure.Robbed, Name: "taken by a process that joined"),
        }
            .Select(row =>
            {
                List<Handover> some = [.. all.Where(one => one.Departure == row.Departure)];
                return (
                    row.Name,
                    some.Count,
                    Bound: plan.HandoverBound(row.Departure),
                    Claims: row.Departure == Departure.Robbed ? [] : some.Select(one => one.Claimed).Order().ToList(),
                    Events: some.Select(one => one.FirstEvent).OfType<TimeSpan>().Order().ToList()
                );
            })
            .ToList();
        return
        [
            Text("hand-over, s", rows, static row => row.Name),
            Number("partitions", rows, static row => row.Count),
            Number("median", rows, static row => Median(row.Claims)) with
            {
                Over = "new owner:",
            },
            Number("longest", rows, static row => Longest(row.Claims)),
            Number("bound", rows, static row => row.Claims.Count == 0 ? None : Seconds(row.Bound)),
            Number("beyond", rows, static row => CountBeyond(row.Claims, row.Bound)),
            Number("median", rows, static row => Median(row.Events)) with
            {
                Over = "first event:",
            },
            Number("longest", rows, static row => Longest(row.Events)),
        ];
    }

    private static void WriteTable(IReadOnlyList<TextColumn> table, int? columns, TextWriter output)
    {
        if (columns is { } width)
        {
            PlainTable.Write(table, width, output, indent: 0, gap: 1);
            return;
        }

        output.WriteLine($"| {string.Join(" | ", table.Select(static column => $"{column.Over} {column.Title}".TrimStart()))} |");
        output.WriteLine($"|{string.Concat(table.Select(static column => column.IsText ? "---|" : "--:|"))}");
        for (var row = 0; row < table[0].Values.Count; row++)
        {
            output.WriteLine($"| {string.Join(" | ", table.Select(column => column.Values[row]))} |");
        }
    }

    private static TextColumn Text<T>(string title, IEnumerable<T> rows, Func<T, string> of) => new(title, [.. rows.Select(of)], IsText: true);

    private static TextColumn Number<T>(string title, IEnumerable<T> rows, Func<T, object> of) =>
        new(title, [.. rows.Select(row => Convert.ToString(of(row), CultureInfo.InvariantCulture) ?? "")]);

    private static string Median(List<TimeSpan> sorted) => sorted.Count == 0 ? None : Seconds(sorted[sorted.Count / 2]);

    private static string Longest(List<TimeSpan> sorted) => sorted.Count == 0 ? None : Seconds(sorted[^1]);

    private static object CountBeyond(List<TimeSpan> times, TimeSpan bound) => times.Count == 0 ? None : times.Count(one => one > bound);

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("0.00", CultureInfo.InvariantCulture);
}
