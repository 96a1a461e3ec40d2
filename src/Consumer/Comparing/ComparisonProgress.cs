using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Comparing;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// Reports the progress of a comparison on standard error: a line for each cell, with the remaining time. On a terminal, a frame below shows the progress
/// of the current cell.
/// </summary>
internal sealed class ComparisonProgress(ComparisonPlan plan, TextWriter error, TimeProvider clock) : IAsyncDisposable
{
    private static readonly TimeSpan FrameInterval = TimeSpan.FromMilliseconds(500);

    // Estimated time of a cell in addition to its measurement (start, claim, end), until the first cell has ended.
    private static readonly TimeSpan Around = TimeSpan.FromSeconds(2);

    private readonly int planned = plan.PlannedCells;
    private int over;
    private long firstAt;
    private long cellAt;
    private readonly TaskCompletionSource shown = new();
    private Task? showing;
    private volatile string lastLine = "";
    private volatile Cell? underWay;

    private TimeSpan CellTime =>
        over == 0 ? (plan.IsSearch ? RateSearch.UsualRuns : 1) * (plan.WarmUp + plan.Length + Around) : clock.GetElapsedTime(firstAt) / over;

    /// <summary>Writes the plan before the first cell starts.</summary>
    public void Begin() =>
        error.WriteLine(
            Text(
                $"{plan.Id.Split('-')[0]}: {plan.Configurations.Count} {(plan.Sweep.Count > 0 ? "points" : "configurations")}, {Plural.Format(planned, "cell")} of {plan.WarmUp.TotalSeconds:0.#} + {plan.Length.TotalSeconds:0.#} s on {(plan.Services is null ? $"profile {plan.Load.Profile}" : "the services")}, about {Left(planned)}"
            )
        );

    public void Starts(Cell cell)
    {
        cellAt = clock.GetTimestamp();
        firstAt = firstAt == 0 ? cellAt : firstAt;
        (lastLine, underWay) = ("", cell);
        if (error is LiveConsole terminal)
        {
            showing ??= ShowAsync(terminal);
        }
    }

    /// <summary>Takes a progress line of the current cell.</summary>
    public void Show(string line) => lastLine = line;

    /// <summary>Writes the result of one run of a search.</summary>
    public void Tried(string line) => error.WriteLine($"    {line}");

    public void Ended(FinishedCell cell)
    {
        over++;
        underWay = null;
        var rate = cell.EventsPerSecond is { } measured ? Text($"{measured, 8:0.0} events/s") : "       - events/s";
        var left = planned > over ? Text($"  {Left(planned - over)} left") : "";
        error.WriteLine(Text($"  [{over}/{Math.Max(planned, over)}] {cell.Cell.ComparedConfiguration.Label, -Width} {rate}{left}{Remark(cell)}"));
    }

    /// <summary>Writes that a block has ended.</summary>
    /// <param name="block">Its number, from 0.</param>
    /// <param name="counts">Whether the block is part of the result.</param>
    public void BlockEnded(int block, bool counts)
    {
        if (!counts && plan.Repeats > 1)
        {
            error.WriteLine(Text($"  block {block + 1} is excluded: its two runs of {plan.Reference.Label} differ too much, or one of them is missing"));
        }
    }

    /// <summary>Writes that the verification begins.</summary>
    public async Task JudgingAsync()
    {
        await DisposeAsync();
        await error.WriteLineAsync("  computing the verdict of every cell from ledger and journal");
    }

    /// <summary>Removes the frame.</summary>
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

        // More blocks may be needed than were planned.
        var cells = Math.Max(planned, over + 1);
        var into = Math.Min(clock.GetElapsedTime(cellAt) / CellTime, 1);
        var left = LiveFrame.Left(CellTime * (cells - over - into));
        draw(
            new LiveFrame((over + into) / cells, Text($"cell {over + 1} of {cells}, {left} left"))
            {
                Below = [LiveFrame.Row($"{cell.ComparedConfiguration.Label}  {(lastLine.Length > 0 ? WithoutName(lastLine, cell) : "starting")}")],
            }
        );
    }

    // The label has the strategy's name already.
    private static string WithoutName(string line, Cell cell)
    {
        var name = $"{cell.ComparedConfiguration.Options.Processing.Strategy.Name}: ";
        return line.StartsWith(name, StringComparison.Ordinal) ? line[name.Length..] : line;
    }

    private static string Remark(FinishedCell cell) => (cell.Apart ?? cell.Mark) is { } remark ? $"  ({remark})" : "";

    private string Left(int cells) => LiveFrame.Left(CellTime * cells);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
