using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>Writes what a comparison leaves behind, and says where it is.</summary>
internal static class ComparisonFiles
{
    /// <returns>The exit code of each file that could not be written.</returns>
    /// <param name="output">Where the result goes. Null writes none.</param>
    /// <param name="report">Where the report goes, in the form that its ending names. Null writes none.</param>
    /// <param name="result">The comparison.</param>
    /// <param name="error">Where it is told.</param>
    public static IReadOnlyList<int> Write(string? output, string? report, ComparisonResult result, TextWriter error)
    {
        var files = new WrittenFiles(error);
        files.Write(output, path => ResultFile.Write(path, result), "data");
        files.Write(report, path => ResultFile.Write(path, ReportOf(ReportFormats.Of(path) ?? ReportFormat.Html, result)), "report");
        if (output is not null && !result.Comparison.Complete)
        {
            error.WriteLine($"again: {CommandText.Of(Again(result.Comparison.Arguments, output, report))}");
        }

        return files.Codes;
    }

    // What writes or runs is not taken from a result, and so is named again.
    private static IEnumerable<string> Again(IReadOnlyList<string> arguments, string output, string? report)
    {
        string[] repeated =
        [
            StrategyAssembly.Option,
            SinkAssembly.Option,
            .. arguments.Any(static argument => argument.Split(',').Any(static text => ComparedConfigurationReader.BuildOf(text) is not null))
                ? new[] { StoredArguments.Strategies }
                : [],
        ];
        return
        [
            arguments[0],
            NamedComparison.ResumeName,
            output,
            .. report is null ? Array.Empty<string>() : ["--report", report],
            .. repeated.SelectMany(option => EarlyOption.ValueOf(option, arguments) is { } value ? new[] { option, value } : []),
        ];
    }

    private static string ReportOf(ReportFormat format, ComparisonResult result) =>
        format switch
        {
            ReportFormat.Markdown => MarkdownReport.Of(result),
            ReportFormat.Csv => CsvReport.Of(result),
            _ => HtmlReport.Of(result),
        };
}
