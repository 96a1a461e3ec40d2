namespace EventHubThroughput.Settings;

/// <summary>Ends a command with one line of text. The cause determines the exit code.</summary>
/// <param name="cause">Why the command cannot continue.</param>
/// <param name="message">The line.</param>
/// <param name="inner">The exception that caused it, if there is one.</param>
public sealed class FailureException(FailureCause cause, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>Why the command cannot continue.</summary>
    public FailureCause Cause { get; } = cause;
}
