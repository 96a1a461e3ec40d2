using System.Globalization;
using EventHubThroughput.Events;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>Tells on standard error how a comparison goes on: a line for each cell, with the time that is left.</summary>
internal sealed class ComparisonProgress(ComparisonPlan plan, TextWriter error, TimeProvider clock)
{
    // What a cell takes beside what it is measured for, until the first one has told: its start, its claim and its end.
    private static readonly TimeSpan Around = TimeSpan.FromSeconds(2);

    private readonly int planned = (plan.Repeats - plan.GoodEarlier) * plan.CellsOfBlock;
    private int over;
    private long firstAt;

    private TimeSpan CellTime => over == 0 ? plan.WarmUp + plan.Length + Around : clock.GetElapsedTime(firstAt) / over;

    /// <summary>Says what will be done, before anything is started.</summary>
    public void Begin() =>
        error.WriteLine(
            Text(
                $"{plan.Id.Split('-')[0]}: {plan.Contenders.Count} {(plan.Sweep.Count > 0 ? "points" : "strategies")}, {Counted.Of(planned, "cell")} of {plan.WarmUp.TotalSeconds:0.#} + {plan.Length.TotalSeconds:0.#} s on profile {plan.Load.Profile}, about {Left(planned)}"
            )
        );

    public void Starts(Cell cell)
    {
        if (firstAt == 0)
        {
            firstAt = clock.GetTimestamp();
        }
    }

    public void Ended(FinishedCell cell)
    {
        over++;
        var rate = cell.EventsPerSecond is { } measured ? Text($"{measured, 8:0.0} events/s") : "       - events/s";
        var left = planned > over ? Text($"  {Left(planned - over)} left") : "";
        error.WriteLine(Text($"  [{over}/{Math.Max(planned, over)}] {cell.Cell.Contender.Label, -Width} {rate}{left}{Remark(cell)}"));
    }

    /// <summary>A block is over; whether it counts is told by the number of those that do.</summary>
    public void BlockEnded(int block, int good)
    {
        if (good <= block && plan.Repeats > 1)
        {
            error.WriteLine(Text($"  block {block + 1} does not count: its two runs of {plan.Reference.Label} are too far apart, or one of them is missing"));
        }
    }

    /// <summary>What was written is looked for now.</summary>
    public void Judging() => error.WriteLine("  judging every cell by ledger and journal");

    private const int Width = 14;

    private static string Remark(FinishedCell cell) => (cell.Apart ?? cell.Mark) is { } remark ? $"  ({remark})" : "";

    private string Left(int cells)
    {
        var time = CellTime * cells;
        return time < TimeSpan.FromMinutes(2) ? Text($"{Math.Ceiling(time.TotalSeconds):0} s") : Text($"{Math.Ceiling(time.TotalMinutes):0} min");
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
