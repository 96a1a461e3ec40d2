using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Comparing;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// Tells on standard error how a comparison goes on: a line for each cell, with the time that is left. On a terminal a frame below them with what
/// the cell under way says of itself.
/// </summary>
internal sealed class ComparisonProgress(ComparisonPlan plan, TextWriter error, TimeProvider clock) : IAsyncDisposable
{
    private static readonly TimeSpan FrameInterval = TimeSpan.FromMilliseconds(500);

    // What a cell takes beside what it is measured for, until the first one has told: its start, its claim and its end.
    private static readonly TimeSpan Around = TimeSpan.FromSeconds(2);

    private readonly int planned = (plan.Repeats - plan.GoodEarlier) * plan.CellsOfBlock;
    private int over;
    private long firstAt;
    private long cellAt;
    private readonly TaskCompletionSource shown = new();
    private Task? showing;
    private volatile string said = "";
    private volatile Cell? underWay;

    private TimeSpan CellTime =>
        over == 0 ? (plan.IsSearch ? RateSearch.UsualRuns : 1) * (plan.WarmUp + plan.Length + Around) : clock.GetElapsedTime(firstAt) / over;

    /// <summary>Says what will be done, before anything is started.</summary>
    public void Begin() =>
        error.WriteLine(
            Text(
                $"{plan.Id.Split('-')[0]}: {plan.Configurations.Count} {(plan.Sweep.Count > 0 ? "points" : "configurations")}, {Plural.Format(planned, "cell")} of {plan.WarmUp.TotalSeconds:0.#} + {plan.Length.TotalSeconds:0.#} s on profile {plan.Load.Profile}, about {Left(planned)}"
            )
        );

    public void Starts(Cell cell)
    {
        cellAt = clock.GetTimestamp();
        firstAt = firstAt == 0 ? cellAt : firstAt;
        (said, underWay) = ("", cell);
        if (error is LiveConsole terminal)
        {
            showing ??= ShowAsync(terminal);
        }
    }

    /// <summary>What the cell under way says of itself.</summary>
    public void Heard(string line) => said = line;

    /// <summary>A run of a search is over.</summary>
    public void Tried(string line) => error.WriteLine($"    {line}");

    public void Ended(FinishedCell cell)
    {
        over++;
        underWay = null;
        var rate = cell.EventsPerSecond is { } measured ? Text($"{measured, 8:0.0} events/s") : "       - events/s";
        var left = planned > over ? Text($"  {Left(planned - over)} left") : "";
        error.WriteLine(Text($"  [{over}/{Math.Max(planned, over)}] {cell.Cell.ComparedConfiguration.Label, -Width} {rate}{left}{Remark(cell)}"));
    }

    /// <summary>A block is over.</summary>
    /// <param name="block">Its number, from 0.</param>
    /// <param name="counts">Whether anything is concluded from it.</param>
    public void BlockEnded(int block, bool counts)
    {
        if (!counts && plan.Repeats > 1)
        {
            error.WriteLine(Text($"  block {block + 1} is excluded: its two runs of {plan.Reference.Label} differ too much, or one of them is missing"));
        }
    }

    /// <summary>What was written is looked for now.</summary>
    public async Task JudgingAsync()
    {
        await DisposeAsync();
        await error.WriteLineAsync("  computing the verdict of every cell from ledger and journal");
    }

    /// <summary>Takes the frame away.</summary>
    public async ValueTask DisposeAsync()
    {
        underWay = null;
        shown.TrySetResult();
        await (showing ?? Task.CompletedTask);
    }

    private const int Width = 14;

    private Task ShowAsync(LiveConsole terminal) =>
        terminal.ShowAsync(async draw =>
        {
            Draw(draw);
            await using var frames = clock.CreateTimer(_ => Draw(draw), null, FrameInterval, FrameInterval);
            await shown.Task;
        });

    private void Draw(Action<LiveFrame> draw)
    {
        if (underWay is not { } cell)
        {
            return;
        }

        // Another block may be needed than was planned.
        var cells = Math.Max(planned, over + 1);
        var into = Math.Min(clock.GetElapsedTime(cellAt) / CellTime, 1);
        var left = LiveFrame.Left(CellTime * (cells - over - into));
        draw(
            new LiveFrame((over + into) / cells, Text($"cell {over + 1} of {cells}, {left} left"))
            {
                Below = [LiveFrame.Row($"{cell.ComparedConfiguration.Label}  {(said.Length > 0 ? said : "starting")}")],
            }
        );
    }

    private static string Remark(FinishedCell cell) => (cell.Apart ?? cell.Mark) is { } remark ? $"  ({remark})" : "";

    private string Left(int cells) => LiveFrame.Left(CellTime * cells);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
