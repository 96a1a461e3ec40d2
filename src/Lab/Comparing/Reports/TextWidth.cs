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

    /// <summary>The text in bold, or as much of its beginning as fits, with an ellipsis.</summary>
    public static string Cut(string text, double room) => OfBold(text) <= room + 0.5 ? text : $"{text[..Math.Max(1, (int)(room / Bold) - 1)]}…";
}
