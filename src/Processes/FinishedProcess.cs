namespace EventHubThroughput.Processes;

/// <summary>What a process that has ended left behind.</summary>
/// <param name="ExitCode">Its exit code; that of its signal, 128 and more, when it was killed.</param>
/// <param name="Output">Its standard output, or what of it nobody has read by lines.</param>
/// <param name="Error">Its standard error, or the last lines of it, as the command says.</param>
public sealed record FinishedProcess(int ExitCode, string Output, string Error);
