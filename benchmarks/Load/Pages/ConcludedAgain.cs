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
    private static readonly string[] Files = ["--output", "--report", "--junit", "--keep"];

    /// <summary>The same cells with the sentences of this version.</summary>
    /// <param name="result">The comparison.</param>
    /// <param name="root">The folder from which its command named files.</param>
    /// <exception cref="UsageException">The options of the comparison are not those of this version.</exception>
    public static ComparisonResult Of(ComparisonResult result, string root)
    {
        var plan = GetPlan(result.Comparison.Arguments, root);
        var again = ComparisonDocument.Of(
            plan with
            {
                Id = result.Comparison.Id,
                Arguments = result.Comparison.Arguments,
                MeasuredOn = result.Machine,
            },
            result.Cells,
            result.Comparison.StartedUtc,
            TimeSpan.FromSeconds(result.Comparison.TookS),
            result.Comparison.Complete,
            result.Program.Version
        );
        return again with { Program = result.Program, Overhead = result.Overhead };
    }

    private static ComparisonPlan GetPlan(IReadOnlyList<string> arguments, string root)
    {
        ComparisonPlan? plan = null;
        var console = new CommandConsole(TextWriter.Null, TextWriter.Null, static _ => null);
        var form = arguments[0] == ComparisonForm.Sweep.Name ? ComparisonForm.Sweep : ComparisonForm.Compare;
        var command = new RootCommand("again");
        command.Subcommands.Add(
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
        var parsed = CommandHost.Parse(command, [.. GetMeasured(arguments).Select(argument => Resolve(argument, root))]);
        if (parsed.Problems() is { Count: > 0 } problems)
        {
            throw new UsageException([.. problems]);
        }

        parsed.Invoke();
        return plan ?? throw new UsageException($"{string.Join(' ', arguments)}: no plan");
    }

    private static string Resolve(string argument, string root) => Path.Combine(root, argument) is var path && File.Exists(path) ? path : argument;

    // A page is rendered where the files of the comparison are not.
    private static IEnumerable<string> GetMeasured(IReadOnlyList<string> arguments) =>
        arguments.Where((argument, place) => !Files.Contains(argument.Split('=')[0]) && (place == 0 || !Files.Contains(arguments[place - 1])));
}
