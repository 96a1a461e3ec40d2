namespace EventHubThroughput.Consumer.Comparing.Reports;

/// <summary>How wide a text of 12 px is, near enough: nobody here knows the fonts of whoever reads it.</summary>
internal static class TextWidth
{
    private const double Usual = 6.9;

    /// <summary>The width in pixels, rather too large than too small.</summary>
    public static double Of(string text) => text.Length * Usual;

    /// <summary>The text, or as much of its beginning as fits, with an ellipsis.</summary>
    public static string Cut(string text, double room) => Of(text) <= room ? text : $"{text[..Math.Max(1, (int)(room / Usual) - 1)]}…";
}
