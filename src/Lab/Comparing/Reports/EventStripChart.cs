using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The events of one strategy, a row each.</summary>
/// <param name="Label">The strategy.</param>
/// <param name="Look">Its colour.</param>
/// <param name="Sample">The events, each of them complete.</param>
internal sealed record EventStrip(string Label, StrategyAppearance Look, SampledEvents Sample)
{
    /// <summary>When the first write of all began. The strip begins there: an event may have waited in a full window for long.</summary>
    public double StartMs => Sample.Events.Min(static one => one.BegunMs!.Value);

    /// <summary>The time from there until the last of them was complete.</summary>
    public double LengthMs => Sample.Events.Max(static one => one.CompletedMs!.Value) - StartMs;

    /// <summary>That time as text.</summary>
    public string Took => $"{Figures.Ms(LengthMs)} ms";

    /// <summary>The checkpoint writes within the strip.</summary>
    public IEnumerable<SampledSpan> Checkpoints => Sample.Checkpoints.Where(write => write.ToMs > StartMs && write.FromMs < StartMs + LengthMs);
}

/// <summary>Strips of events below each other over one time axis, so that the slow ones are long.</summary>
internal sealed class EventStripChart : ChartForm
{
    private const double Gap = 8;
    private const double EventHeight = 5;
    private const double AxisHeight = 22;
    private const double MostForNames = 150;

    /// <summary>The strips from the top.</summary>
    public required IReadOnlyList<EventStrip> Strips { get; init; }

    /// <summary>The sinks by the place of their bar in a row, from its top.</summary>
    public required IReadOnlyList<string> Sinks { get; init; }

    /// <inheritdoc/>
    protected override Drawing Draw(double width, bool isNarrow)
    {
        var names = isNarrow ? 0 : Math.Clamp(Strips.Max(static strip => TextWidth.OfBold(strip.Label)), 60, MostForNames);
        var lines = Strips.Select(strip => TextWidth.Wrap(strip.Label, isNarrow ? width - TextWidth.Of(strip.Took) - Gap : names)).ToList();
        var heads = lines.Select(of => isNarrow ? of.Count * Drawing.LineHeight : 0).ToList();
        var heights = Strips.Zip(lines).Select(one => GetHeight(one.First, one.Second.Count, isNarrow)).ToList();
        var bottom = heights.Sum() + heads.Sum();
        var axis = Scale.Exactly(0, Strips.Max(static strip => strip.LengthMs)) with { From = isNarrow ? 2 : names + Gap, To = width - 2 };
        var drawing = new Drawing(width, bottom + AxisHeight, hasPointer: !isNarrow);
        foreach (var tick in axis.Ticks(isNarrow ? 4 : 7))
        {
            drawing.Line("grid", axis.At(tick), 0, axis.At(tick), bottom);
            drawing.Tick(tick > 0 ? $"{TickText(tick)} ms" : "0", axis.At(tick), bottom + 16);
        }

        drawing.Line("axis", axis.From, bottom, axis.To, bottom);
        var top = 0.0;
        for (var place = 0; place < Strips.Count; place++)
        {
            if (isNarrow)
            {
                drawing.Label(lines[place], axis.From, top + 11);
                drawing.Text(Strips[place].Took, width - 2, top + 11, "t n", Anchor.End);
            }
            else
            {
                drawing.Label(lines[place], names, top + 14, Anchor.End);
                drawing.Text(Strips[place].Took, names, top + 14 + (lines[place].Count * Drawing.LineHeight), "t m", Anchor.End);
            }

            DrawStrip(drawing, Strips[place], axis, top + heads[place] + 3);
            top += heads[place] + heights[place];
        }

        return drawing;
    }

    private static double GetHeight(EventStrip strip, int lines, bool isNarrow) =>
        Math.Max(strip.Sample.Events.Count * EventHeight, isNarrow ? 0 : (lines + 1) * Drawing.LineHeight) + Gap;

    private void DrawStrip(Drawing drawing, EventStrip strip, Scale axis, double top)
    {
        var events = strip.Sample.Events;
        foreach (var write in strip.Checkpoints)
        {
            drawing.Shade(At(write.FromMs), At(write.ToMs), top - 1, events.Count * EventHeight, "checkpoint");
        }

        for (var place = 0; place < events.Count; place++)
        {
            DrawEvent(drawing, strip, events[place], At, top + (place * EventHeight));
        }

        double At(double ms) => axis.At(ms - strip.StartMs);
    }

    private void DrawEvent(Drawing drawing, EventStrip strip, SampledEvent one, Func<double, double> at, double top)
    {
        var middle = top + ((EventHeight - 1) / 2);
        DrawWait("wait", one.ReceivedMs, one.BegunMs!.Value);
        DrawWait("wait held", one.CompletedMs!.Value, one.BatchEndedMs ?? 0);
        var lane = (EventHeight - 1) / Sinks.Count;
        for (var sink = 0; sink < Sinks.Count; sink++)
        {
            if (one.Writes.GetValueOrDefault(Sinks[sink]) is { } write)
            {
                drawing.Bar(
                    strip.Look,
                    at(write.FromMs),
                    at(write.ToMs),
                    top + (sink * lane),
                    lane,
                    sink == 0 ? "bar" : "bar pale",
                    $"event {one.Sequence}, {EventStripFigure.GetName(Sinks[sink])}: {Figures.Ms(write.FromMs - strip.StartMs)} to {Figures.Ms(write.ToMs - strip.StartMs)} ms"
                );
            }
        }

        void DrawWait(string kind, double from, double to)
        {
            if (at(to) > at(from))
            {
                drawing.Line(kind, at(from), middle, at(to), middle);
            }
        }
    }
}
