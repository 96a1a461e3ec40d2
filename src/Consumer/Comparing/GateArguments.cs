using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Gates;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>The conditions that a comparison must meet on a build server.</summary>
internal sealed class GateArguments
{
    private readonly Option<string[]> failIf = new("--fail-if")
    {
        Description =
            $"Exit with code {ExitCode.GateFailed} if the condition is true, {ExitCode.GateUndecided} if it is undecided: \"outloop.rate < 0.95 * baseline.rate\" or \"pipelined.p99 > 50\". May be given several times",
        HelpName = "CONDITION",
        Arity = ArgumentArity.OneOrMore,
        AllowMultipleArgumentsPerToken = false,
    };

    private readonly Option<string?> against = Options.Text(
        "--against",
        $"The --output of an earlier comparison. Exit with code {ExitCode.GateFailed} if a strategy is slower than there, {ExitCode.GateUndecided} if that is undecided",
        "FILE"
    );

    private readonly Option<double?> slower = Options.OptionalNumber(
        "--fail-if-slower",
        $"Compare every configuration with the first, as one build with another. Exit with code {ExitCode.GateFailed} if one is slower, {ExitCode.GateUndecided} if a slowdown of this percentage cannot be excluded",
        5,
        90
    );

    private readonly Option<bool> undecided = Options.Flag(
        "--fail-if-undecided",
        $"Exit with code {ExitCode.GateUndecided} if the comparison has no answer, for example because this machine was too busy. An indication is an answer"
    );

    private readonly Option<string?> junit = Options.Text(
        ComparisonGates.JUnitOption,
        "Write the outcomes of these conditions and the verdict of each configuration to this file, as JUnit XML",
        "FILE"
    );

    public Option[] All => [failIf, slower, against, undecided, junit];

    /// <summary>The option of the JUnit file, which is an output.</summary>
    public Option<string?> JUnit => junit;

    /// <summary>The options that may be given several times.</summary>
    public Option[] SeveralTimes => [failIf];

    /// <summary>The problems of the conditions.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="repeats">The requested number of blocks.</param>
    /// <param name="labels">The labels of the configurations.</param>
    public IEnumerable<string> Problems(CommandResult result, int repeats, IReadOnlyCollection<string> labels) =>
        [
            .. All.Where(option => option != undecided && option != junit && result.IsGiven(option) && repeats < MedianInterval.FewestForInterval)
                .Select(option => $"{option.Name}: needs an interval, which requires --repeats {MedianInterval.FewestForInterval} or more, not {repeats}"),
            .. result.GetValue(slower) is not null && repeats is >= MedianInterval.FewestForInterval and < SlowdownGate.FewestBlocks
                ? new[] { $"{slower.Name}: requires --repeats {SlowdownGate.FewestBlocks} or more, not {repeats}" }
                : [],
            .. Conditions(result).SelectMany(text => ProblemsOf(() => GateCondition.Read(text, labels), $"{failIf.Name} ")),
            .. ProblemsOf(() => Earlier(result), ""),
        ];

    public IReadOnlyList<GateCondition> Read(CommandResult result, IReadOnlyCollection<string> labels) =>
        [.. Conditions(result).Select(text => GateCondition.Read(text, labels))];

    /// <summary>The slowdown that must be ruled out for every configuration except the first, as a share of its rate. Null for none.</summary>
    public double? Slowdown(CommandResult result) => result.GetValue(slower) / 100;

    /// <summary>Whether a comparison must have an answer.</summary>
    public bool FailsIfUndecided(CommandResult result) => result.GetValue(undecided);

    /// <summary>The earlier comparison to compare with. Null for none.</summary>
    /// <exception cref="UsageException">It cannot be used.</exception>
    public ComparisonResult? Earlier(CommandResult result) => result.GetValue(against) is { } path ? EarlierComparison.Read(against.Name, path) : null;

    private string[] Conditions(CommandResult result) => result.GetValue(failIf) ?? [];

    private static IReadOnlyList<string> ProblemsOf(Func<object?> read, string begin)
    {
        try
        {
            read();
            return [];
        }
        catch (UsageException wrong)
        {
            return [.. wrong.Problems.Select(problem => begin + problem)];
        }
    }
}
