namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>A survey as the tables of <c>docs/results/mutants.md</c>.</summary>
internal static class SurveyTable
{
    public static IReadOnlyList<string> Of(IReadOnlyList<Judged> judged) =>
        [
            "| kind of change | mutants | convicted | undecided | refused | equivalent |",
            "|---|--:|--:|--:|--:|--:|",
            .. judged.GroupBy(one => one.Mutant.Kind).OrderBy(group => group.Key).Select(group => Row(Words(group.Key), [.. group])),
            Row("**all**", judged),
            string.Empty,
            "| rule | equivalent | most of any kind | limit |",
            "|---|--:|--:|--:|",
            .. EquivalenceRule.All.Select(rule =>
                $"| {rule.Name} | {judged.Count(one => one.Fate == Fate.Equivalent && one.Rule == rule)} | {Share(rule, judged)} % | {rule.MostShare} % |"
            ),
        ];

    /// <summary>What became of the mutants of each base.</summary>
    public static IReadOnlyList<string> ByBase(IReadOnlyList<Judged> judged) =>
        [
            "| base | mutants | convicted | undecided | refused | equivalent |",
            "|---|--:|--:|--:|--:|--:|",
            .. judged.GroupBy(one => one.Base).Select(group => Row(group.Key, [.. group])),
            Row("**all**", judged),
        ];

    /// <summary>The largest part of any kind's mutants that a rule excuses, in whole percent, rounded up.</summary>
    public static int Share(EquivalenceRule rule, IReadOnlyList<Judged> judged) =>
        judged
            .GroupBy(one => one.Mutant.Kind)
            .Max(group => (int)Math.Ceiling(100.0 * group.Count(one => one.Fate == Fate.Equivalent && one.Rule == rule) / group.Count()));

    private static string Row(string name, IReadOnlyList<Judged> judged)
    {
        Fate[] fates = [Fate.Convicted, Fate.Undecided, Fate.Refused, Fate.Equivalent];
        return $"| {name} | {judged.Count} | {string.Join(" | ", fates.Select(fate => judged.Count(one => one.Fate == fate)))} |";
    }

    /// <summary>A kind's name as words.</summary>
    public static string Words(MutantKind kind) =>
        string.Concat(
            kind.ToString().Select((letter, at) => char.IsUpper(letter) && at > 0 ? $" {char.ToLowerInvariant(letter)}" : $"{char.ToLowerInvariant(letter)}")
        );
}
