using System.CommandLine;
using System.CommandLine.Parsing;

namespace EventHubThroughput.CommandLine;

/// <summary>Checks of options against each other, listed together with the problems of single options.</summary>
public static class OptionChecks
{
    /// <summary>Adds a check that returns a problem (`--window 16: smaller than --degree 64`) or null.</summary>
    public static void Check(this Command command, Func<CommandResult, string?> findProblem)
        => command.Validators.Add(result =>
        {
            try
            {
                if (findProblem(result) is { } problem)
                {
                    result.AddError(problem);
                }
            }
            catch (InvalidOperationException)
            {
                // The check read an option whose value is wrong by itself; that problem is listed already.
            }
        });
}
