using System.Text;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Gates;

/// <summary>The outcomes of gates and the report of their comparison as Markdown, for the summary of a build step.</summary>
internal static class StepSummaryText
{
    /// <summary>The text, with the gates first.</summary>
    public static string Of(ComparisonResult result, IReadOnlyList<GateVerdict> gates)
    {
        var text = new StringBuilder("## Gates\n\n");
        MarkdownTable.Append(
            text,
            gates,
            ("gate", false, static gate => gate.Gate),
            ("outcome", false, static gate => GetWord(gate.Outcome)),
            ("figures", false, static gate => gate.Text)
        );
        return text.Append(MarkdownReport.Of(result)).Append('\n').ToString();
    }

    private static string GetWord(GateOutcome outcome) =>
        outcome switch
        {
            GateOutcome.Passed => "passed",
            GateOutcome.Failed => "failed",
            _ => "undecided",
        };
}
