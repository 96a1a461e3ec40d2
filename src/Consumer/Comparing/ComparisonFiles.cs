using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>Writes the files of a comparison and reports their paths.</summary>
internal static class ComparisonFiles
{
    /// <summary>Refuses paths that cannot be written, before anything is started.</summary>
    public static void EnsureWritable(string? output, string? report, string? junit)
    {
        if (output is not null)
        {
            ResultFile.EnsureWritable(output);
        }

        if (report is not null)
        {
            ResultFile.EnsureReportWritable(report);
        }

        if (junit is not null)
        {
            ResultFile.EnsureReportWritable(junit, ComparisonGates.JUnitOption);
        }
    }

    /// <returns>The exit codes of the files that could not be written.</returns>
    /// <param name="output">The path of the result. Null writes none.</param>
    /// <param name="report">The path of the report, whose extension selects the format. Null writes none.</param>
    /// <param name="result">The comparison.</param>
    /// <param name="error">Receives the messages.</param>
    public static IReadOnlyList<int> Write(string? output, string? report, ComparisonResult result, TextWriter error)
    {
        var files = new WrittenFiles(error);
        files.Write(output, path => ResultFile.Write(path, result), "data");
        files.Write(report, path => ResultFile.Write(path, GetReport(ReportFormats.Of(path) ?? ReportFormat.Html, result)), "report");
        if (!result.Comparison.Complete)
        {
            error.WriteLine(
                output is not null
                    ? $"again: {CommandText.Of(Again(result.Comparison.Arguments, output, report))}"
                    : "not kept: with --output FILE, --resume FILE continues an interrupted comparison"
            );
        }

        return files.Codes;
    }

    // Options that write files or name code are not taken from a result, so the command line must name them again.
    private static IEnumerable<string> Again(IReadOnlyList<string> arguments, string output, string? report)
    {
        string[] repeated =
        [
            StrategyAssembly.Option,
            SinkAssembly.Option,
            SinkAssembly.HandlerOption,
            ServiceArguments.EntitiesName,
            .. arguments.Any(static argument => argument.Split(',').Any(static text => ComparedConfigurationReader.GetBuild(text) is not null))
                ? new[] { StoredArguments.Strategies }
                : [],
        ];
        return
        [
            arguments[0],
            NamedComparison.ResumeName,
            output,
            .. report is null ? Array.Empty<string>() : ["--report", report],
            .. repeated.SelectMany(option => EarlyOption.GetValue(option, arguments) is { } value ? new[] { option, value } : []),
        ];
    }

    private static string GetReport(ReportFormat format, ComparisonResult result) =>
        format switch
        {
            ReportFormat.Markdown => MarkdownReport.Of(result),
            ReportFormat.Csv => CsvReport.Of(result),
            _ => HtmlReport.Of(result),
        };
}
