using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Scripts;

/// <summary>What rows expect beyond exit code, text and verdict.</summary>
internal static class Checks
{
    public static string? NoDuplicates(CellFacts facts) =>
        facts.Verdict.DuplicateServiceBus == 0 ? null : $"{facts.Verdict.DuplicateServiceBus} duplicates, expected none";

    /// <summary>Without the loss of a connection, only the messages whose answers were kept back can be there twice.</summary>
    public static string? AsManyDuplicatesAsStrikes(CellFacts facts) =>
        facts.Verdict.DuplicateServiceBus >= facts.Strikes
        && facts.Verdict.DuplicateServiceBus <= facts.Strikes * (facts.Stage.Cell.SendsBatches ? Cell.LargestSentBatch : 1)
            ? null
            : $"{facts.Verdict.DuplicateServiceBus} duplicates of {facts.Strikes} lost answers";

    public static Func<CellFacts, string?> DeadLetters(int count) =>
        facts => facts.Verdict.DeadLettered == count ? null : $"{facts.Verdict.DeadLettered} dead letters, expected {count}";

    public static Func<CellFacts, string?> Replays(long count) =>
        facts => facts.Verdict.Replayed == count ? null : $"{facts.Verdict.Replayed} events were replayed, expected {count}";

    /// <summary>Some line on standard error holds all of these words.</summary>
    public static Func<CellFacts, string?> Warns(params string[] words) =>
        facts =>
            facts
                .Last.Error.Split('\n')
                .Any(line => line.StartsWith("warning:", StringComparison.Ordinal) && words.All(word => line.Contains(word, StringComparison.Ordinal)))
                ? null
                : $"no warning with '{string.Join("', '", words)}'";
}
