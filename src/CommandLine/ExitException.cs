namespace EventHubThroughput.CommandLine;

/// <summary>Ends the command with one line on standard error and the exit code of the project's table.</summary>
public sealed class ExitException(int exitCode, string message, Exception? cause = null) : Exception(message, cause)
{
    public int ExitCode { get; } = exitCode;
}
