using System.Text.Json;
using System.Text.Json.Nodes;

namespace EventHubThroughput.Consumer.Verifying;

/// <summary>A whole verdict as plain text: what it is about, every number under its name in the result file, charges, limits, and one line.</summary>
internal static class VerdictText
{
    private const int Width = 28;

    public static void Write(JudgedRun judged, JsonObject document, bool orderIsJudged, TextWriter output)
    {
        var (verdict, scope) = (judged.Verdict, judged.Scope);
        Line("run", verdict.Run ?? "none");
        Line("events", $"event hub '{scope.Hub}', consumer group '{scope.Group}'");
        Line("sinks", $"'{scope.MessageEntity}' and container '{scope.ArchiveContainer}', dead letters in '{scope.DeadLetterContainer}'");
        Line("checkpoints in", $"'{scope.CheckpointContainer}'");
        Line("promised order", orderIsJudged ? scope.Promise.ToString().ToLowerInvariant() : "not named, so order is counted and not judged");
        output.WriteLine();
        foreach (var (name, value) in document)
        {
            if (value is null || value.GetValueKind() == JsonValueKind.Number)
            {
                Line(name, value?.ToString() ?? "not judged");
            }
        }

        output.WriteLine();
        foreach (var charge in verdict.Charges)
        {
            Line("charge", $"{charge.Field} {charge.Count}, first: {charge.Example}");
        }

        if (verdict.NotJudged.Count > 0)
        {
            Line("not judged", string.Join(", ", verdict.NotJudged));
        }

        foreach (var note in judged.Notes)
        {
            Line("note", note);
        }

        output.WriteLine(verdict.Summary);

        void Line(string title, string text) => output.WriteLine($"{title.PadRight(Width)}{text}");
    }
}
