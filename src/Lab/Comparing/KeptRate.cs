using System.Globalization;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Which configurations keep the rate at which events are sent, for comparisons whose reference does not.</summary>
internal static class KeptRate
{
    /// <summary>Whether the reference cannot keep the rate, so that no ratio to it exists.</summary>
    public static bool IsMissedByReference(IReadOnlyList<ComparedStrategy> strategies) => strategies is [{ FallsBehindIn: > 0 }, ..];

    /// <summary>Whether a configuration keeps the rate and has no ratio, because the reference does not keep it.</summary>
    public static bool LacksReferenceOnly(IReadOnlyList<ComparedStrategy> strategies, ComparedStrategy strategy) =>
        IsMissedByReference(strategies) && Keeps(strategy);

    /// <summary>The pairs of configurations that keep the rate.</summary>
    public static IReadOnlyList<ComparedPair> SelectPairs(IReadOnlyList<ComparedStrategy> strategies, IReadOnlyList<ComparedPair> pairs)
    {
        var keeping = strategies.Where(Keeps).Select(static one => one.Label).ToHashSet(StringComparer.Ordinal);
        return [.. pairs.Where(pair => keeping.Contains(pair.First) && keeping.Contains(pair.Second))];
    }

    /// <summary>The configurations that cannot keep the rate and those that can, with their times.</summary>
    public static string Describe(ComparisonPlan plan, IReadOnlyList<ComparedStrategy> strategies)
    {
        var behind = Join(strategies.Where(static one => one.FallsBehindIn > 0).Select(static one => one.Label));
        var keeping = ComparisonDocument.Ranked(strategies, plan.By).Where(Keeps).Select(one => $"{one.Label} ({GetTime(plan, one)})").ToList();
        return keeping.Count == 0
            ? $"{behind} cannot keep {plan.Load.Rate}, and no other configuration was measured that can."
            : $"{behind} cannot keep {plan.Load.Rate}, {Join(keeping)} can.";
    }

    private static bool Keeps(ComparedStrategy strategy) => strategy is { FallsBehindIn: 0, EndToEndP50Ms: not null };

    private static string GetTime(ComparisonPlan plan, ComparedStrategy strategy) =>
        plan.By == ComparedBy.P99 ? Text($"p99 {strategy.EndToEndP99Ms:0.0} ms") : Text($"median {strategy.EndToEndP50Ms:0.0} ms");

    private static string Join(IEnumerable<string> labels) =>
        labels.ToList() is [.. { Count: > 0 } before, var last] ? $"{string.Join(", ", before)} and {last}" : string.Join(", ", labels);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
