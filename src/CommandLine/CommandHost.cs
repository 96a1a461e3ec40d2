using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

/// <summary>Runs a command line. Parses it, then reports all its problems, or invokes the command and maps its exception to an exit code.</summary>
public static class CommandHost
{
    private const int Unexpected = 1;

    private static readonly ParserConfiguration Configuration = new()
    {
        EnablePosixBundling = false,

        // A value may begin with '@'.
        ResponseFileTokenReplacer = null,
    };

    /// <summary>
    /// Runs the command that the arguments name. Checks of options against each other are added by <see cref="OptionChecks.Check"/>,
    /// so that they are listed with all other problems.
    /// </summary>
    public static async Task<int> RunAsync(RootCommand root, string[] args, CommandConsole console, CancellationToken cancellationToken)
    {
        if (!console.IsOpen)
        {
            return Fail(console, ["standard output: is closed. Write to /dev/null to discard it"], ExitCode.ResultsUnwritable);
        }

        var scan = ArgumentScan.Of(root, args);
        if (scan.AsksForHelp)
        {
            return WriteHelp(scan.Command, console);
        }

        var result = root.Parse(scan.AsksForVersion ? ["--version"] : scan.Accepted, Configuration);
        var problems = scan.AsksForVersion ? [] : Problems(scan, result);
        return problems.Count > 0 ? Fail(console, problems, ExitCode.Usage) : await InvokeAsync(result, console, root.Name, cancellationToken);
    }

    /// <summary>
    /// Parses arguments from a file or from a part of an option, by the rules of a command line. A response file (<c>@file</c>) is not expanded.
    /// </summary>
    public static ParseResult Parse(Command command, IReadOnlyList<string> arguments) => command.Parse(arguments, Configuration);

    private static int WriteHelp(Command command, CommandConsole console)
    {
        try
        {
            CommandHelp.Write(command, console.Output, console.Columns);
            return 0;
        }
        catch (FailureException full)
        {
            return Fail(console, [full.Message], ExitCode.Of(full.Cause));
        }
    }

    private static List<string> Problems(ArgumentScan scan, ParseResult result)
    {
        var ofValues = result.Errors.Select(error => (Position: GetPosition(scan, error), Text: error.Message));
        var ofChecks = OptionChecks.ProblemsOf(result.CommandResult).Select(text => (Position: int.MaxValue, Text: text));
        return [.. scan.Problems.Concat(ofValues).Concat(ofChecks).OrderBy(problem => problem.Position).Select(problem => problem.Text).Distinct()];
    }

    private static int GetPosition(ArgumentScan scan, ParseError error)
    {
        var option = (error.SymbolResult as OptionResult) ?? (error.SymbolResult?.Parent as OptionResult);
        return option is null ? int.MaxValue : scan.GetPosition(option.Option.Name);
    }

    private static async Task<int> InvokeAsync(ParseResult result, CommandConsole console, string program, CancellationToken cancellationToken)
    {
        var configuration = new InvocationConfiguration
        {
            Output = console.Output,
            Error = console.Error,
            EnableDefaultExceptionHandler = false,

            // The program handles signals itself, because it must drain.
            ProcessTerminationTimeout = null,
        };
        try
        {
            return await result.InvokeAsync(configuration, cancellationToken);
        }
        catch (UsageException usage)
        {
            return Fail(console, usage.Problems, ExitCode.Usage);
        }
        catch (FailureException failure)
        {
            return Fail(console, [failure.Message], ExitCode.Of(failure.Cause));
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return Fail(console, ["interrupted"], Unexpected);
        }
        catch (Exception exception)
        {
            var details = CrashFile.Write(program, exception);
            var where = details is null ? string.Empty : $" (details: {details})";
            return Fail(console, [$"{exception.GetType().Name}: {exception.Message}{where}"], Unexpected);
        }
    }

    private static int Fail(CommandConsole console, IReadOnlyList<string> problems, int exitCode)
    {
        foreach (var problem in problems)
        {
            console.Error.WriteLine($"error: {SecretMask.Apply(problem).ReplaceLineEndings(" ")}");
        }

        return exitCode;
    }
}
