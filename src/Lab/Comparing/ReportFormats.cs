namespace EventHubThroughput.Lab.Comparing;

/// <summary>The form of a report.</summary>
internal enum ReportFormat
{
    /// <summary>One file that a browser shows, with everything that it needs.</summary>
    Html,

    /// <summary>For a pull request.</summary>
    Markdown,

    /// <summary>A line for each cell.</summary>
    Csv,
}

/// <summary>Which form the name of a file asks for.</summary>
internal static class ReportFormats
{
    private static readonly (string Ending, ReportFormat Format)[] All =
    [
        (".html", ReportFormat.Html),
        (".md", ReportFormat.Markdown),
        (".csv", ReportFormat.Csv),
    ];

    /// <summary>The endings that are known.</summary>
    public static IEnumerable<string> Endings => All.Select(static one => one.Ending);

    /// <summary>The format of a file. Null where its extension is unknown.</summary>
    public static ReportFormat? Of(string path) =>
        All.Where(one => path.EndsWith(one.Ending, StringComparison.OrdinalIgnoreCase)).Select(static one => (ReportFormat?)one.Format).FirstOrDefault();
}
