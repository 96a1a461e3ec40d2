using System.Globalization;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>The sum of a supervision as Markdown, ready for docs/results.</summary>
internal static class SupervisionTable
{
    public static void Write(SupervisionPlan plan, IReadOnlyList<SupervisionTally> tallies, TextWriter output)
    {
        output.WriteLine($"| strategy | cycles | {(plan.Drains ? "drained" : "killed")} | events | lost | checkpoint ahead | duplicates | of at most | largest replay | s a cycle |");
        output.WriteLine("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        foreach (var tally in tallies)
        {
            output.WriteLine(Row(
                tally.Strategy, tally.Cycles, tally.AsAsked, tally.Acknowledged, tally.Lost, tally.CheckpointAhead, tally.Duplicates, tally.ReplayBound, tally.LargestReplay,
                Seconds(tally.Elapsed / Math.Max(1, tally.Cycles))));
        }

        if (!plan.Drains)
        {
            WriteKills(plan, tallies, output);
        }

        output.WriteLine();
        output.WriteLine("| first event after a restart, s | restarts | median | longest | bound | beyond |");
        output.WriteLine("|---|--:|--:|--:|--:|--:|");
        WriteRecovery(plan, tallies, "by the same owner", ofSameOwner: true, output);
        WriteRecovery(plan, tallies, "by a new owner", ofSameOwner: false, output);
    }

    private static void WriteKills(SupervisionPlan plan, IReadOnlyList<SupervisionTally> tallies, TextWriter output)
    {
        output.WriteLine();
        output.WriteLine($"| killed at | {string.Join(" | ", plan.Points)} |");
        output.WriteLine($"|---|{string.Concat(plan.Points.Select(_ => "--:|"))}");
        foreach (var tally in tallies)
        {
            output.WriteLine(Row([tally.Strategy, .. plan.Points.Select(point => (object)tally.StruckAt(point))]));
        }
    }

    private static void WriteRecovery(
        SupervisionPlan plan, IReadOnlyList<SupervisionTally> tallies, string who, bool ofSameOwner, TextWriter output)
    {
        var bound = plan.RecoveryBound(ofSameOwner);
        List<TimeSpan> sorted = [.. tallies.SelectMany(tally => tally.Recoveries(ofSameOwner)).Order()];
        output.WriteLine(sorted.Count == 0
            ? Row(who, 0, "-", "-", Seconds(bound), "-")
            : Row(who, sorted.Count, Seconds(sorted[sorted.Count / 2]), Seconds(sorted[^1]), Seconds(bound), sorted.Count(one => one > bound)));
    }

    private static string Row(params IReadOnlyList<object> cells) =>
        $"| {string.Join(" | ", cells.Select(cell => Convert.ToString(cell, CultureInfo.InvariantCulture)))} |";

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("0.00", CultureInfo.InvariantCulture);
}
