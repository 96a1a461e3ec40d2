using System.Globalization;
using EventHubThroughput.Lab.Configuration;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>The totals of a supervision as Markdown, for docs/results.</summary>
internal static class SupervisionTable
{
    public static void Write(SupervisionPlan plan, IReadOnlyList<SupervisionCounters> allCounters, TextWriter output)
    {
        output.WriteLine($"| strategy | cycles | {plan.Deed} | events | lost | checkpoint ahead | duplicates | allowed | largest replay | s a cycle |");
        output.WriteLine("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        foreach (var counters in allCounters)
        {
            output.WriteLine(
                Row(
                    counters.Strategy,
                    counters.Cycles,
                    counters.AsAsked,
                    counters.Acknowledged,
                    counters.Lost,
                    counters.CheckpointAhead,
                    counters.Duplicates,
                    counters.ReplayBound,
                    counters.LargestReplay,
                    Seconds(counters.Elapsed / Math.Max(1, counters.Cycles))
                )
            );
        }

        if (allCounters.Sum(counters => counters.Repeats) is > 0 and var repeats)
        {
            output.WriteLine();
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Cycles repeated because the consumer had ended earlier: {repeats}."));
        }

        if (plan.Owners is not null)
        {
            WriteHandovers(plan, [.. allCounters.SelectMany(counters => counters.Handovers)], output);
            return;
        }

        if (!plan.Drains)
        {
            WriteKills(plan, allCounters, output);
        }

        output.WriteLine();
        output.WriteLine("| first event after a restart, s | restarts | median | longest | bound | beyond |");
        output.WriteLine("|---|--:|--:|--:|--:|--:|");
        WriteRecovery(plan, allCounters, "by the same owner", ofSameOwner: true, output);
        WriteRecovery(plan, allCounters, "by a new owner", ofSameOwner: false, output);
    }

    private static void WriteKills(SupervisionPlan plan, IReadOnlyList<SupervisionCounters> allCounters, TextWriter output)
    {
        output.WriteLine();
        output.WriteLine($"| killed | when | {string.Join(" | ", allCounters.Select(counters => counters.Strategy))} |");
        output.WriteLine($"|---|---|{string.Concat(allCounters.Select(_ => "--:|"))}");
        foreach (var point in plan.Points)
        {
            output.WriteLine(Row([point.Code(), point.Words(), .. allCounters.Select(counters => (object)counters.StruckAt(point))]));
        }
    }

    private static void WriteRecovery(SupervisionPlan plan, IReadOnlyList<SupervisionCounters> allCounters, string who, bool ofSameOwner, TextWriter output)
    {
        var bound = plan.RecoveryBound(ofSameOwner);
        List<TimeSpan> sorted = [.. allCounters.SelectMany(counters => counters.Recoveries(ofSameOwner)).Order()];
        output.WriteLine(
            sorted.Count == 0
                ? Row(who, 0, "-", "-", Seconds(bound), "-")
                : Row(who, sorted.Count, Seconds(sorted[sorted.Count / 2]), Seconds(sorted[^1]), Seconds(bound), sorted.Count(one => one > bound))
        );
    }

    private static void WriteHandovers(SupervisionPlan plan, IReadOnlyList<Handover> all, TextWriter output)
    {
        output.WriteLine();
        output.WriteLine("| hand-over, s | partitions | new owner: median | longest | bound | beyond | first event: median | longest |");
        output.WriteLine("|---|--:|--:|--:|--:|--:|--:|--:|");
        foreach (
            var (departure, who) in new[]
            {
                (Departure.Left, "released by one that left"),
                (Departure.Died, "left by one that was killed"),
                (Departure.Robbed, "taken by one that joined"),
            }
        )
        {
            List<Handover> some = [.. all.Where(one => one.Departure == departure)];
            List<TimeSpan> claims = departure == Departure.Robbed ? [] : [.. some.Select(one => one.Claimed).Order()];
            List<TimeSpan> events = [.. some.Select(one => one.FirstEvent).OfType<TimeSpan>().Order()];
            var bound = plan.HandoverBound(departure);
            output.WriteLine(
                Row(
                    who,
                    some.Count,
                    Median(claims),
                    Longest(claims),
                    claims.Count == 0 ? "-" : Seconds(bound),
                    claims.Count == 0 ? "-" : claims.Count(one => one > bound),
                    Median(events),
                    Longest(events)
                )
            );
        }
    }

    private static string Median(List<TimeSpan> sorted) => sorted.Count == 0 ? "-" : Seconds(sorted[sorted.Count / 2]);

    private static string Longest(List<TimeSpan> sorted) => sorted.Count == 0 ? "-" : Seconds(sorted[^1]);

    private static string Row(params IReadOnlyList<object> cells) =>
        $"| {string.Join(" | ", cells.Select(cell => Convert.ToString(cell, CultureInfo.InvariantCulture)))} |";

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("0.00", CultureInfo.InvariantCulture);
}
