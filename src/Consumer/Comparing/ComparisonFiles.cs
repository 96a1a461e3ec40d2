using EventHubThroughput.Consumer.Comparing.Reports;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Reporting;
using EventHubThroughput.Consumer.Results;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>Writes what a comparison leaves behind, and says where it is.</summary>
internal static class ComparisonFiles
{
    /// <returns>The exit code of each file that could not be written.</returns>
    public static IReadOnlyList<int> Write(ComparisonPlan plan, ComparisonResult result, TextWriter error)
    {
        var files = new WrittenFiles(error);
        files.Write(plan.Output, path => ResultFile.Write(path, result), "data");
        files.Write(plan.Report, path => ResultFile.Write(path, ReportOf(ReportFormats.Of(path) ?? ReportFormat.Html, result)), "report");
        if (plan.Output is { } file && !result.Comparison.Complete)
        {
            error.WriteLine($"again: consumer {plan.Arguments[0]} --resume {file}");
        }

        return files.Codes;
    }

    private static string ReportOf(ReportFormat format, ComparisonResult result) =>
        format switch
        {
            ReportFormat.Markdown => MarkdownReport.Of(result),
            ReportFormat.Csv => CsvReport.Of(result),
            _ => HtmlReport.Of(result),
        };
}
