using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>What became of a mutant.</summary>
internal enum Fate
{
    /// <summary>A promise is said to be broken.</summary>
    Convicted,

    Undecided,

    /// <summary>The sources contradict themselves so much that they are not judged.</summary>
    Refused,

    /// <summary>It passes, and a rule says why it may.</summary>
    Equivalent,

    /// <summary>It passes, and nothing says why.</summary>
    Survived,
}

/// <summary>One mutant judged.</summary>
internal sealed record Judged(string Shape, GeneratedMutant Mutant, Fate Fate, EquivalenceRule? Rule, string Verdict)
{
    public override string ToString() => $"{Mutant.Kind} of {Mutant.Record}, {Mutant.What}, in '{Shape}': {Verdict}";
}

/// <summary>Makes and judges mutants of every shape.</summary>
internal static class Survey
{
    /// <summary>Of each kind of change to each kind of record of each shape, so many are judged for each commit.</summary>
    private const int SampleOfEach = 4;

    private const int SampleSeed = 13;

    /// <summary>Whether every mutant is judged and not a sample of them: <c>EHT_MUTANTS=all</c>.</summary>
    public static bool JudgesAll { get; } = Environment.GetEnvironmentVariable("EHT_MUTANTS") == "all";

    public static IEnumerable<(string Shape, GeneratedMutant Mutant)> All() =>
        Shapes.All.SelectMany(shape => new MutantMaker(PlayedRun.Of(shape.Options)).All().Select(mutant => (shape.Name, mutant)));

    /// <summary>The same for each commit: drawn with a seed.</summary>
    public static IEnumerable<(string Shape, GeneratedMutant Mutant)> Sample()
    {
        var random = new Random(SampleSeed);
        return
        [
            .. All()
                .GroupBy(made => (made.Shape, made.Mutant.Kind, made.Mutant.Record, made.Mutant.IsOfDeadLetter))
                .SelectMany(group =>
                {
                    var drawn = group.ToArray();
                    random.Shuffle(drawn);
                    return drawn.Take(SampleOfEach);
                }),
        ];
    }

    public static IReadOnlyList<Judged> Judge(IEnumerable<(string Shape, GeneratedMutant Mutant)> mutants) =>
        [.. mutants.AsParallel().AsOrdered().Select(made => Judge(made.Shape, made.Mutant))];

    private static Judged Judge(string shape, GeneratedMutant mutant)
    {
        var run = mutant.Make();
        Verdict verdict;
        try
        {
            verdict = run.Judge();
        }
        catch (JournalFormatException refusal)
        {
            return new Judged(shape, mutant, Fate.Refused, null, refusal.Message);
        }

        // Rules are asked about what was convicted as well: one that calls it equivalent is wrong, or the verdict is.
        var rule = verdict.Outcome == VerdictOutcome.Undecided ? null : RuleOf(mutant, run);
        var fate = verdict.Outcome switch
        {
            VerdictOutcome.Fail => Fate.Convicted,
            VerdictOutcome.Undecided => Fate.Undecided,
            _ => rule is null ? Fate.Survived : Fate.Equivalent,
        };
        return new Judged(shape, mutant, fate, rule, verdict.Summary);
    }

    private static EquivalenceRule? RuleOf(GeneratedMutant mutant, GoodRun run)
    {
        var survivor = new Survivor(mutant, run);
        return EquivalenceRule.All.FirstOrDefault(rule => rule.Excuses(survivor));
    }
}
