using EventHubThroughput.CommandLine;
using EventHubThroughput.Processes;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load;

/// <summary>A program of this project as a separate process. Disposal kills it if it still runs.</summary>
internal sealed class ChildProgram : IAsyncDisposable
{
    private const int KeptLines = 10;

    private readonly RunningProcess process;

    private ChildProgram(RunningProcess process) => this.process = process;

    public string Name => process.Name;

    public bool HasEnded => process.HasEnded;

    public static ChildProgram Start(string name, IReadOnlyList<string> arguments, IReadOnlyDictionary<string, string> environment, TimeProvider clock) =>
        new(RunningProcess.Start(ProcessCommand.OfProgram(name, arguments) with { Variables = environment, KeptErrors = KeptLines, Clock = clock }));

    /// <summary>A program of another folder.</summary>
    public static ChildProgram StartFrom(
        string folder,
        string name,
        IReadOnlyList<string> arguments,
        IReadOnlyDictionary<string, string> environment,
        TimeProvider clock
    ) =>
        new(
            RunningProcess.Start(
                new ProcessCommand(ProcessCommand.GetFile(folder, name), arguments)
                {
                    Variables = environment,
                    KeptErrors = KeptLines,
                    Clock = clock,
                }
            )
        );

    /// <summary>Resident memory in bytes and open handles. Null if the process has ended.</summary>
    public (long Resident, int Handles)? Look()
    {
        try
        {
            process.Process.Refresh();
            return (process.Process.WorkingSet64, ProcessHandles.Of(process.Process));
        }
        catch (Exception exception) when (exception is InvalidOperationException or IOException)
        {
            return null;
        }
    }

    /// <summary>Requests it to drain and end.</summary>
    public Task TerminateAsync() => process.SignalAsync("TERM");

    /// <summary>Waits for its end. Returns its exit code, its output and its last lines on standard error.</summary>
    /// <exception cref="FailureException">It does not end within the limit.</exception>
    public async Task<(int ExitCode, string Output, string LastLines)> EndAsync(TimeSpan limit, CancellationToken cancellationToken)
    {
        try
        {
            var finished = await process.EndAsync(limit, cancellationToken);
            return (finished.ExitCode, finished.Output, string.Join(" | ", process.LastErrors()));
        }
        catch (TimeoutException exception)
        {
            throw new FailureException(FailureCause.Dependency, exception.Message, exception);
        }
    }

    public ValueTask DisposeAsync() => process.DisposeAsync();
}
