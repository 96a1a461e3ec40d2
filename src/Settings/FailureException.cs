namespace EventHubThroughput.Settings;

/// <summary>Ends a command with one line of text. The program chooses the exit code by the cause.</summary>
/// <param name="cause">Why the command cannot go on.</param>
/// <param name="message">The line.</param>
/// <param name="inner">What was thrown below, if anything.</param>
public sealed class FailureException(FailureCause cause, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>Why the command cannot go on.</summary>
    public FailureCause Cause { get; } = cause;
}
