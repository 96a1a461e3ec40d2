using System.CommandLine;
using System.CommandLine.Parsing;
using System.Runtime.CompilerServices;

namespace EventHubThroughput.CommandLine;

/// <summary>Checks of options against each other, listed together with the problems of single options.</summary>
/// <remarks>These are not validators. Validators run before the parser has filled in the defaults, and prevent it from reading any value.</remarks>
public static class OptionChecks
{
    private static readonly ConditionalWeakTable<Command, List<Func<CommandResult, IEnumerable<string>>>> Checks = [];

    /// <summary>Adds a check that returns a problem (`--window 16: smaller than --degree 64`) or null. It may read defaults.</summary>
    public static void Check(this Command command, Func<CommandResult, string?> findProblem) =>
        command.CheckAll(result => findProblem(result) is { } problem ? [problem] : []);

    /// <summary>Adds a check that may find several problems.</summary>
    public static void CheckAll(this Command command, Func<CommandResult, IEnumerable<string>> findProblems) =>
        Checks.GetOrCreateValue(command).Add(findProblems);

    /// <summary>All problems of a command line: those of single options, and those of options against each other.</summary>
    public static IReadOnlyList<string> Problems(this ParseResult parsed) =>
        [.. parsed.Errors.Select(static error => error.Message).Concat(ProblemsOf(parsed.CommandResult)).Distinct()];

    /// <summary>Whether an option was given, rather than left at its default.</summary>
    public static bool IsGiven(this ParseResult parsed, Option option) => parsed.GetResult(option) is { Implicit: false };

    /// <inheritdoc cref="IsGiven(ParseResult, Option)"/>
    public static bool IsGiven(this CommandResult parsed, Option option) => parsed.GetResult(option) is { Implicit: false };

    internal static IEnumerable<string> ProblemsOf(CommandResult result) =>
        Checks.TryGetValue(result.Command, out var checks) ? checks.SelectMany(check => Find(check, result)) : [];

    private static List<string> Find(Func<CommandResult, IEnumerable<string>> check, CommandResult result)
    {
        try
        {
            return [.. check(result)];
        }
        catch (InvalidOperationException)
        {
            // The check read an option whose value is invalid. That problem is already listed.
            return [];
        }
    }
}
