using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>The line of a result.</summary>
internal static class CheckText
{
    private const int OutcomeWidth = 9;
    private const int SubjectWidth = 12;

    public static string Of(CheckResult result)
    {
        var outcome = result.Outcome switch
        {
            CheckOutcome.Ok => "ok",
            CheckOutcome.Failed => "failed",
            _ => "skipped",
        };
        var cure = result.Cure is null ? "" : $". Cure: {result.Cure}";
        return SecretMask.Apply($"{outcome.PadRight(OutcomeWidth)}{result.Subject.PadRight(SubjectWidth)}{result.Text}{cure}").ReplaceLineEndings(" ");
    }
}
