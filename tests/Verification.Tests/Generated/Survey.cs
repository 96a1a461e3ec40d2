using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>What became of a mutant.</summary>
internal enum Fate
{
    /// <summary>The verdict reports a broken promise.</summary>
    Convicted,

    Undecided,

    /// <summary>The sources contradict themselves, and they are not judged.</summary>
    Refused,

    /// <summary>It passes, and a rule gives the reason.</summary>
    Equivalent,

    /// <summary>It passes without a reason.</summary>
    Survived,
}

/// <summary>One mutant judged.</summary>
internal sealed record Judged(string Base, GeneratedMutant Mutant, Fate Fate, EquivalenceRule? Rule, string Verdict, IReadOnlyList<string> Charges)
{
    /// <summary>Whether it is convicted, and of something else than what was done.</summary>
    public bool IsForAnotherReason => Fate == Fate.Convicted && Mutant.Charge is { } charge && !Charges.Contains(charge);

    public override string ToString() => $"{Mutant.Kind} of {Mutant.Record}, {Mutant.What}, in '{Base}': {Verdict}";
}

/// <summary>Judges mutants, all of them or a sample.</summary>
internal static class Survey
{
    private const int SampleSeed = 13;

    /// <summary>Whether every mutant is judged and not a sample of them: <c>EHT_MUTANTS=all</c>.</summary>
    public static bool JudgesAll { get; } = Environment.GetEnvironmentVariable("EHT_MUTANTS") == "all";

    /// <summary>Some of each kind of change to each kind of record of each base: the same every time, since they are drawn with a seed.</summary>
    /// <param name="all">All mutants, with the name of their base.</param>
    /// <param name="ofEach">How many of each.</param>
    public static IEnumerable<(string Base, GeneratedMutant Mutant)> Sample(IEnumerable<(string Base, GeneratedMutant Mutant)> all, int ofEach)
    {
        var random = new Random(SampleSeed);
        return
        [
            .. all.GroupBy(made => (made.Base, made.Mutant.Kind, made.Mutant.Record, made.Mutant.IsOfDeadLetter))
                .SelectMany(group =>
                {
                    var drawn = group.ToArray();
                    random.Shuffle(drawn);
                    return drawn.Take(ofEach);
                }),
        ];
    }

    public static IReadOnlyList<Judged> Judge(IEnumerable<(string Base, GeneratedMutant Mutant)> mutants) =>
        [.. mutants.AsParallel().AsOrdered().Select(made => Judge(made.Base, made.Mutant))];

    private static Judged Judge(string of, GeneratedMutant mutant)
    {
        var run = mutant.Make();
        Verdict verdict;
        try
        {
            verdict = run.Judge();
        }
        catch (JournalFormatException refusal)
        {
            return new Judged(of, mutant, Fate.Refused, null, refusal.Message, []);
        }

        // Rules are asked about what was convicted as well: one that calls it equivalent is wrong, or the verdict is.
        var rule = verdict.Outcome == VerdictOutcome.Undecided ? null : GetRule(mutant, run);
        var fate = verdict.Outcome switch
        {
            VerdictOutcome.Fail => Fate.Convicted,
            VerdictOutcome.Undecided => Fate.Undecided,
            _ => rule is null ? Fate.Survived : Fate.Equivalent,
        };
        return new Judged(of, mutant, fate, rule, verdict.Summary, [.. verdict.Charges.Select(charge => charge.Field)]);
    }

    private static EquivalenceRule? GetRule(GeneratedMutant mutant, GoodRun run)
    {
        var survivor = new Survivor(mutant, run);
        return EquivalenceRule.All.FirstOrDefault(rule => rule.Excuses(survivor));
    }
}
