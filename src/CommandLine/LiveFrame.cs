using System.Globalization;
using EventHubThroughput.Settings;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace EventHubThroughput.CommandLine;

/// <summary>The content of a live view: a bar with a text, and rows above and below it.</summary>
/// <param name="Share">The share that is done, 0 to 1. Null shows the text without a bar.</param>
/// <param name="Text">The text after the bar.</param>
public sealed record LiveFrame(double? Share, string Text)
{
    /// <summary>Rows above the bar.</summary>
    public IReadOnlyList<IRenderable> Above { get; init; } = [];

    /// <summary>Rows below the bar.</summary>
    public IReadOnlyList<IRenderable> Below { get; init; } = [];

    /// <summary>A row of text, cut at the width of the terminal. Markup is not interpreted.</summary>
    public static IRenderable Row(string text) => new Line(TerminalText.OneLine(text));

    /// <summary>Texts next to each other, in the rows that they need.</summary>
    public static IRenderable Flow(IEnumerable<string> texts) => new Columns(texts.Select(Row)) { Expand = false, Padding = new Padding(0, 0, 3, 0) };

    /// <summary>The text of a remaining time: 42 s, 7 min, 3.5 h.</summary>
    public static string Left(TimeSpan time) =>
        time < TimeSpan.FromMinutes(2) ? Invariant($"{Math.Ceiling(Math.Max(0, time.TotalSeconds)):0} s")
        : time < TimeSpan.FromHours(2) ? Invariant($"{Math.Ceiling(time.TotalMinutes):0} min")
        : Invariant($"{time.TotalHours:0.#} h");

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    // Spectre.Console would wrap a text instead of cutting it.
    private sealed class Line(string text) : Renderable
    {
        protected override Measurement Measure(RenderOptions options, int maxWidth)
        {
            var width = Math.Min(text.GetCellWidth(), maxWidth);
            return new Measurement(width, width);
        }

        protected override IEnumerable<Segment> Render(RenderOptions options, int maxWidth) =>
            Segment.SplitOverflow(new Segment(text), Overflow.Ellipsis, maxWidth);
    }
}
