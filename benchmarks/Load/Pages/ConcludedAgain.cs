using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Pages;

/// <summary>The conclusions of a comparison, drawn again from its cells, so that a page has the sentences of this version.</summary>
internal static class ConcludedAgain
{
    private static readonly string[] Files = ["--output", "--report"];

    /// <summary>The same cells with the sentences of this version.</summary>
    /// <exception cref="UsageException">The options of the comparison are not those of this version.</exception>
    public static ComparisonResult Of(ComparisonResult result)
    {
        var plan = GetPlan(result.Comparison.Arguments);
        var again = ComparisonDocument.Of(
            plan with
            {
                Id = result.Comparison.Id,
                Arguments = result.Comparison.Arguments,
            },
            result.Cells,
            result.Comparison.StartedUtc,
            TimeSpan.FromSeconds(result.Comparison.TookS),
            result.Comparison.Complete,
            result.Program.Version
        );
        return again with { Program = result.Program, Machine = result.Machine, Overhead = result.Overhead };
    }

    private static ComparisonPlan GetPlan(IReadOnlyList<string> arguments)
    {
        ComparisonPlan? plan = null;
        var console = new CommandConsole(TextWriter.Null, TextWriter.Null, static _ => null);
        var form = arguments[0] == ComparisonForm.Sweep.Name ? ComparisonForm.Sweep : ComparisonForm.Compare;
        var root = new RootCommand("again");
        root.Subcommands.Add(
            CompareCommand.Create(
                console,
                form,
                found =>
                {
                    plan = found;
                    return Task.FromResult(0);
                }
            )
        );
        var parsed = CommandHost.Parse(root, [.. GetMeasured(arguments)]);
        if (parsed.Problems() is { Count: > 0 } problems)
        {
            throw new UsageException([.. problems]);
        }

        parsed.Invoke();
        return plan ?? throw new UsageException($"{string.Join(' ', arguments)}: no plan");
    }

    // A page is rendered where the files of the comparison are not.
    private static IEnumerable<string> GetMeasured(IReadOnlyList<string> arguments) =>
        arguments.Where((argument, place) => !Files.Contains(argument.Split('=')[0]) && (place == 0 || !Files.Contains(arguments[place - 1])));
}
