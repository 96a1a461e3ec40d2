using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Redriving;

/// <summary>Writes each dead letter that remains to standard error, or to standard output on a dry run. Then writes the counts.</summary>
internal sealed class RedriveReport(CommandConsole console, bool dryRun)
{
    private const int MostLines = 20;

    private readonly Lock gate = new();

    // Guarded by the gate.
    private long reported;

    /// <summary>Reports one step. Can be called from any thread.</summary>
    public void Report(RedriveStep step)
    {
        if (step.Outcome == RedriveOutcome.Redriven)
        {
            return;
        }

        var line = GetLine(step);
        lock (gate)
        {
            if (dryRun)
            {
                console.Output.WriteLine(line);
            }
            else if (++reported <= MostLines)
            {
                console.Error.WriteLine(line);
            }
        }
    }

    /// <summary>Reports the end and returns the exit code.</summary>
    public int Conclude(RedriveResult result)
    {
        if (reported > MostLines)
        {
            console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"and {reported - MostLines:N0} more"));
        }

        if (result.Faults.Count > 0)
        {
            console.Error.WriteLine($"error: {result.Faults[0].Message}{(result.Faults.Count == 1 ? "" : $" (and {result.Faults.Count - 1} more)")}");
        }
        else if (result.End == ProcessingEnd.Stopped)
        {
            console.Error.WriteLine("stopped before the end");
        }

        return ExitCode.Worst([GetCode(result), console.Print(output => Write(result, output))]);
    }

    private static int GetCode(RedriveResult result) =>
        result.Faults.Count > 0 ? FaultExitCode.Of(result.Faults[0])
        : result.IsEmpty || result.End == ProcessingEnd.Stopped ? ExitCode.Done
        : ExitCode.DeadLettersLeft;

    private void Write(RedriveResult result, TextWriter output)
    {
        if (!dryRun)
        {
            output.WriteLine(Counted("redriven", result.Redriven));
            output.WriteLine(Counted("refused again", result.Refused));
        }

        output.WriteLine(Counted("not readable", result.Unreadable));
        output.WriteLine(result.Left is { } left ? Counted("left", left.Sum(group => group.Count)) : "left           unknown: the container cannot be read");
        foreach (var group in result.Left ?? [])
        {
            output.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"  {group.Count:N0} x {(group.Sinks.Length > 0 ? $"not at {group.Sinks}" : "not readable")}: {Plain(group.Reason)}"
                )
            );
        }
    }

    private static string Counted(string what, long count) => string.Create(CultureInfo.InvariantCulture, $"{what, -14} {count:N0}");

    private static string GetLine(RedriveStep step) =>
        step.Outcome switch
        {
            RedriveOutcome.Waiting => $"{Plain(step.Name)}: waits: {Plain(step.Reason)}",
            RedriveOutcome.Refused => $"{Plain(step.Name)}: refused again: {Plain(step.Reason)}",
            RedriveOutcome.Claimed => $"{Plain(step.Name)}: claimed by another redrive",
            RedriveOutcome.Cut => $"{Plain(step.Name)}: no answer in time. The dead letter stays claimed for a while",
            _ => $"{Plain(step.Name)}: {Plain(step.Reason)}",
        };

    // The blob may come from an untrusted source and have any name.
    private static string Plain(string text) =>
        string.Create(
            text.Length,
            text,
            static (target, all) =>
            {
                for (var i = 0; i < target.Length; i++)
                {
                    target[i] = char.IsControl(all[i]) ? '?' : all[i];
                }
            }
        );
}
