using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Comparing.Reports;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Reporting;
using EventHubThroughput.Consumer.Results;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>Writes what a comparison leaves behind, and says where it is.</summary>
internal static class ComparisonFiles
{
    /// <returns>The exit code of each file.</returns>
    public static IReadOnlyList<int> Write(ComparisonPlan plan, ComparisonResult result, TextWriter error)
    {
        List<int> codes = [];
        Try(plan.Output, path => ResultFile.Write(path, result), "data");
        Try(plan.Report, path => ResultFile.Write(path, ReportOf(ReportFormats.Of(path) ?? ReportFormat.Html, result)), "report");
        if (plan.Output is { } file && !result.Comparison.Complete)
        {
            error.WriteLine($"again: consumer {plan.Arguments[0]} --resume {file}");
        }

        return codes;

        void Try(string? path, Action<string> write, string what)
        {
            if (path is null)
            {
                return;
            }

            try
            {
                write(path);
                error.WriteLine($"{what}: {path}");
            }
            catch (ExitException failure)
            {
                error.WriteLine($"error: {failure.Message}");
                codes.Add(failure.ExitCode);
            }
        }
    }

    private static string ReportOf(ReportFormat format, ComparisonResult result) =>
        format switch
        {
            ReportFormat.Markdown => MarkdownReport.Of(result),
            ReportFormat.Csv => CsvReport.Of(result),
            _ => HtmlReport.Of(result),
        };
}
