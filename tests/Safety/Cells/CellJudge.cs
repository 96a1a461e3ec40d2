using System.Text.Json;
using System.Text.RegularExpressions;
using EventHubThroughput.Processes;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Safety.Cells;

/// <summary>
/// Compares the state after a cell with the expectations of its row, and with those of every row. Every row demands one line of error, no stack
/// trace, no secret, no result half written.
/// </summary>
internal static class CellJudge
{
    private static readonly TimeSpan PatternLimit = TimeSpan.FromSeconds(1);

    /// <summary>Codes of a process that was killed: it need not give a reason.</summary>
    private static readonly int[] Signalled = [130, 137, 143];

    public static IReadOnlyList<string> Judge(CellFacts facts)
    {
        var expected = facts.Stage.Cell.Expected;
        List<string> problems = [.. facts.Stage.Problems];
        Add(facts.Last.ExitCode == expected.Exit ? null : $"exit code {facts.Last.ExitCode}, expected {expected.Exit}: {facts.Last.Error.Trim()}");
        Add(TextProblem(facts.Last, expected));
        Add(VerdictProblem(facts.Verdict, expected.Verdict));
        Add(
            facts.Stage.Cell.Row.Faults.Count > 0 && facts.Strikes < expected.Strikes
                ? $"the fault struck {facts.Strikes} times, expected at least {expected.Strikes}"
                : null
        );
        Add(facts.Verdict.DuplicateBlob == 0 ? null : $"{facts.Verdict.DuplicateBlob} blobs were stored twice");
        Add(facts.Stage.Cell.Row.Also(facts));
        problems.AddRange(facts.Stage.Ended.SelectMany(finished => ManneredProblems(finished)));
        problems.AddRange(FileProblems(facts.Stage));
        return problems;

        void Add(string? problem)
        {
            if (problem is not null)
            {
                problems.Add(problem);
            }
        }
    }

    private static string? TextProblem(FinishedProcess last, Expected expected)
    {
        string[] errors = [.. Lines(last.Error).Where(line => line.StartsWith("error:", StringComparison.Ordinal))];
        if (expected.ErrorPattern is null)
        {
            return errors.Length == 0 || expected.Exit != 0 ? null : $"its error: {errors[0]}";
        }

        if (errors.Length != 1 && !expected.SeveralLines)
        {
            return $"{errors.Length} lines of error, expected one: {last.Error.Trim()}";
        }

        return errors.Any(line => Regex.IsMatch(line, expected.ErrorPattern, RegexOptions.ExplicitCapture, PatternLimit))
            ? null
            : $"its error is '{string.Join(" | ", errors)}', expected /{expected.ErrorPattern}/";
    }

    private static string? VerdictProblem(Verdict verdict, Standing expected) =>
        expected switch
        {
            Standing.Clean => verdict.Outcome == VerdictOutcome.Pass ? null : verdict.Summary,
            Standing.NotFailed => verdict.Outcome != VerdictOutcome.Fail ? null : verdict.Summary,
            _ => verdict.Outcome == VerdictOutcome.Fail ? null : $"not convicted: {verdict.Summary}",
        };

    private static IEnumerable<string> ManneredProblems(FinishedProcess finished)
    {
        var all = finished.Output + finished.Error;
        if (all.Contains("   at ", StringComparison.Ordinal) || all.Contains("Unhandled exception", StringComparison.Ordinal))
        {
            yield return $"a stack trace: {finished.Error.Trim()}";
        }

        if (finished.ExitCode != 0 && !Signalled.Contains(finished.ExitCode) && !finished.Error.Contains("error:", StringComparison.Ordinal))
        {
            yield return $"it ended with {finished.ExitCode} and did not say why";
        }
    }

    private static IEnumerable<string> FileProblems(Stage stage)
    {
        foreach (var finished in stage.Ended.Where(finished => (finished.Output + finished.Error).Contains(stage.Key, StringComparison.Ordinal)))
        {
            yield return $"the key is on the console of a process that ended with {finished.ExitCode}";
        }

        foreach (var file in Directory.EnumerateFiles(stage.Folder).Where(file => !file.EndsWith("profile.json", StringComparison.Ordinal)))
        {
            var name = Path.GetFileName(file);
            using var secrets = new TextCounter(file, stage.Key);
            secrets.Advance();
            if (secrets.Count > 0)
            {
                yield return $"the key is in {name}";
            }

            if (name.EndsWith(".tmp", StringComparison.Ordinal) && !stage.Cell.Row.KilledWhileWriting)
            {
                yield return $"{name} was left behind";
            }

            if (name.StartsWith("result", StringComparison.Ordinal) && !IsJson(File.ReadAllText(file)))
            {
                yield return $"{name} is half written";
            }
        }
    }

    private static bool IsJson(string text)
    {
        try
        {
            using var document = JsonDocument.Parse(text);
            return document.RootElement.ValueKind == JsonValueKind.Object;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private static string[] Lines(string text) => text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
