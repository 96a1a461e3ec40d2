using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>A complete comparison. It is reported from its file: no cell is run and no code is loaded.</summary>
/// <param name="result">The comparison.</param>
/// <param name="gates">The conditions that it must meet.</param>
/// <param name="console">Where it is printed.</param>
internal sealed class FinishedComparison(ComparisonResult result, ComparisonGates gates, CommandConsole console)
{
    /// <summary>Prints the comparison and writes the files that the command line names.</summary>
    /// <param name="output">The path of the result. Null writes no copy.</param>
    /// <param name="report">The path of the report. Null writes none.</param>
    /// <returns>The exit code.</returns>
    public int Report(string? output, string? report)
    {
        ComparisonFiles.EnsureWritable(output, report, gates.JUnit);
        console.Error.WriteLine($"{result.Comparison.Arguments[0]}: every requested cell is in the file, so no cell is run");
        var printed = console.Print(text => ComparisonText.Write(result, ComparisonText.GetWidth(console.Columns), text));
        return ExitCode.Worst([
            result.Comparison.ExitCode,
            printed,
            .. ComparisonFiles.Write(output, report, result, console.Error),
            .. gates.Judge(result, console.Environment(ComparisonGates.StepSummaryVariable), console.Error),
        ]);
    }
}
