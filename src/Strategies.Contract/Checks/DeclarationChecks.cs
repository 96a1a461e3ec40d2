using System.Text.RegularExpressions;
using EventHubThroughput.Strategies.Contract.Trials;

namespace EventHubThroughput.Strategies.Contract.Checks;

/// <summary>The declarations of the descriptor.</summary>
internal static partial class DeclarationChecks
{
    // Options of every strategy: an option of one strategy must not have one of these names.
    private static readonly string[] General = ["degree", "batch", "window"];

    public static IReadOnlyList<StrategyCheck> All { get; } =
    [new("is declared with name, sentence and options in range", IsDeclared), new("works at either end of each option's range", WorksAtBothEnds)];

    private static void IsDeclared(TrialSubject subject)
    {
        var strategy = subject.Strategy;
        Expect(Word().IsMatch(strategy.Name), $"the name '{strategy.Name}' is not of lower-case words joined by dashes");
        Expect(IsSentence(strategy.Summary), "the summary is not a sentence");
        Expect(strategy.Options.Select(option => option.Name).Distinct(StringComparer.Ordinal).Count() == strategy.Options.Count, "two options have one name");
        foreach (var option in strategy.Options)
        {
            Expect(Word().IsMatch(option.Name), $"the option '{option.Name}' is not of lower-case words joined by dashes");
            Expect(!General.Contains(option.Name, StringComparer.Ordinal), $"the option '{option.Name}' is named like one that every strategy accepts");
            Expect(IsSentence(option.Summary), $"the summary of option '{option.Name}' is not a sentence");
            Expect(
                option.Least <= option.Default && option.Default <= option.Most,
                $"option '{option.Name}': its default {option.Default} is not within {option.Least} to {option.Most}"
            );
        }
    }

    // All other checks run with the defaults.
    private static void WorksAtBothEnds(TrialSubject subject)
    {
        foreach (var (option, value) in subject.Strategy.Options.SelectMany(option => new[] { (option, option.Least), (option, option.Most) }))
        {
            var chosen = new Dictionary<string, int>(StringComparer.Ordinal) { [option.Name] = value };
            var few = subject with { Budget = subject.Budget with { Schedules = Math.Max(1, subject.Budget.Schedules / 10) } };
            try
            {
                few.Explore(async chance =>
                {
                    var workload = new TrialWorkload(subject.Strategy, chance);
                    var trial = await workload.LiveAsync(
                        subject.Strategy,
                        context => context with { Options = StrategyOptionValues.Of(subject.Strategy.Options, chosen) }
                    );
                    DeliveryChecks.ExpectEachOnce(workload, trial);
                });
            }
            catch (StrategyContractException failure)
            {
                throw new StrategyContractException($"with {option.Name} {value}: {failure.Message}", failure);
            }
        }
    }

    private static bool IsSentence(string text) => text.Length > 1 && text[^1] == '.' && !text.Contains('\n', StringComparison.Ordinal);

    private static void Expect(bool holds, string problem)
    {
        if (!holds)
        {
            throw new StrategyContractException(problem);
        }
    }

    [GeneratedRegex("^[a-z][a-z0-9]*(-[a-z0-9]+)*$", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Word();
}
