using System.Globalization;

namespace EventHubThroughput.CommandLine;

/// <summary>A bar of text, and words for the time that is left.</summary>
public static class ProgressBar
{
    private const int Narrowest = 10;

    /// <summary>A bar that fills what a line has left beside its text: <c>██████░░░░  60 %  text</c>.</summary>
    /// <param name="share">How much is done, 0 to 1.</param>
    /// <param name="text">The text after it.</param>
    /// <param name="columns">The most characters of the line.</param>
    public static string Line(double share, string text, int columns)
    {
        var done = Math.Clamp(share, 0, 1);
        var behind = string.Create(CultureInfo.InvariantCulture, $"  {Math.Floor(100 * done), 3:0} %  {text}");
        var width = Math.Max(Narrowest, columns - behind.Length);
        var filled = (int)(done * width);
        return new string('█', filled) + new string('░', width - filled) + behind;
    }

    /// <summary>Texts beside each other, in as many lines as they need.</summary>
    public static IEnumerable<string> Flow(IEnumerable<string> texts, int columns)
    {
        const string gap = "   ";
        var line = "";
        foreach (var text in texts)
        {
            if (line.Length > 0 && line.Length + gap.Length + text.Length > columns)
            {
                yield return line;
                line = "";
            }

            line = line.Length == 0 ? text : line + gap + text;
        }

        yield return line;
    }

    /// <summary>The text of a time that is left: 42 s, 7 min, 3.5 h.</summary>
    public static string Left(TimeSpan time) =>
        time < TimeSpan.FromMinutes(2) ? Text($"{Math.Ceiling(Math.Max(0, time.TotalSeconds)):0} s")
        : time < TimeSpan.FromHours(2) ? Text($"{Math.Ceiling(time.TotalMinutes):0} min")
        : Text($"{time.TotalHours:0.#} h");

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
