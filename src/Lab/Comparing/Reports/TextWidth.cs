namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The largest width of a text of 12 px. The reader's fonts are unknown, and few are wider than DejaVu Sans.</summary>
internal static class TextWidth
{
    private const double Usual = 7.7;
    private const double Bold = 8.4;

    /// <summary>The width in pixels, rather too large than too small.</summary>
    public static double Of(string text) => text.Length * Usual;

    /// <summary>The same in bold.</summary>
    public static double OfBold(string text) => text.Length * Bold;

    /// <summary>The text in bold, in as many lines as it needs. A line ends after a space if it can.</summary>
    public static IReadOnlyList<string> Wrap(string text, double room)
    {
        List<string> lines = [];
        var most = Math.Max(1, (int)((room + 0.5) / Bold));
        while (text.Length > most)
        {
            var end = text.LastIndexOf(' ', most) is > 0 and var space ? space : most;
            lines.Add(text[..end].TrimEnd());
            text = text[end..].TrimStart();
        }

        return [.. lines, text];
    }
}
