using System.Text.Json.Nodes;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>The verdict as JSON, the same wherever it was computed.</summary>
internal static class VerdictDocument
{
    /// <param name="judgement">The verdict and the line about it.</param>
    /// <param name="unknown">Fields of which the evidence has no trace: null, never 0.</param>
    public static JsonObject Of(Judgement judgement, IReadOnlyCollection<string>? unknown = null)
    {
        var safety = judgement.Verdict is { } verdict ? (JsonObject)ResultDocument.Node(verdict) : [];
        foreach (var field in (unknown ?? []).Where(safety.ContainsKey))
        {
            safety[field] = null;
        }

        safety["verdict"] = judgement.Word;
        safety["line"] = judgement.Line;
        return safety;
    }
}
