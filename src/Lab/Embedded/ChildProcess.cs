using EventHubThroughput.Processes;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry.Logs;

namespace EventHubThroughput.Lab.Embedded;

/// <summary>
/// A program of this project that runs beside the consumer. It gets its settings by environment, never by argument. The last lines
/// of its standard error are kept for the message when it fails. It ends, at the latest, when its owner disposes it.
/// </summary>
internal sealed class ChildProcess : IAsyncDisposable
{
    private const int KeptLines = 5;
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(10);

    // Memory of code is not mapped a second time to be written, which makes a start quicker.
    private static readonly KeyValuePair<string, string> QuickStart = new("DOTNET_EnableWriteXorExecute", "0");

    private readonly RunningProcess process;
    private readonly bool endsWithInput;
    private string? lastLine;

    private ChildProcess(RunningProcess process, bool endsWithInput)
    {
        this.process = process;
        this.endsWithInput = endsWithInput;
    }

    /// <summary>Receives each line of a child's log. A program writes them among its own.</summary>
    public static Action<string> LogLines { get; set; } = static _ => { };

    public string Name => process.Name;

    public System.Diagnostics.Process Process => process.Process;

    /// <summary>Completes when the process has ended, for any reason.</summary>
    public Task Ended => process.Ended;

    public int ExitCode => process.ExitCode;

    /// <summary>Starts the executable of that name beside this program's own.</summary>
    /// <param name="name">The executable.</param>
    /// <param name="arguments">Its arguments, without secrets.</param>
    /// <param name="environment">Variables added to this process's own.</param>
    /// <param name="endsWithInput">Whether it ends by itself when its standard input closes. Otherwise it is ended by force.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="takeError">Receives each line of its standard error. May be null.</param>
    /// <param name="build">The folder of another build, whose executable is started. Null is that of this program.</param>
    public static ChildProcess Start(
        string name,
        IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string> environment,
        bool endsWithInput,
        TimeProvider timeProvider,
        Action<string>? takeError = null,
        string? build = null
    )
    {
        var command = ProcessCommand.OfProgram(name, [.. arguments]);
        var started = RunningProcess.Start(
            command with
            {
                File = build is null ? command.File : ProcessCommand.GetFile(build, name),
                Variables = new Dictionary<string, string>([QuickStart, .. environment], StringComparer.Ordinal),
                IsReadByLine = true,
                KeptErrors = KeptLines,
                TakeError = line => Take(line, takeError),
                Clock = timeProvider,
            }
        );
        return new ChildProcess(started, endsWithInput);
    }

    /// <summary>Writes its whole standard input and closes it.</summary>
    public void Give(byte[] input)
    {
        try
        {
            Process.StandardInput.BaseStream.Write(input);
            process.CloseInput();
        }
        catch (IOException)
        {
            // It ended before it had read everything: its exit code and its last lines show why.
        }
    }

    /// <summary>Writes one line to its standard input and closes it.</summary>
    public async Task GiveAsync(string line, CancellationToken cancellationToken)
    {
        try
        {
            await process.WriteAsync($"{line}\n", cancellationToken);
            process.CloseInput();
        }
        catch (IOException)
        {
            // It ended before: its exit code and its last lines show why.
        }
    }

    /// <summary>The next line of its standard output. Null when it has closed that.</summary>
    public Task<string?> ReadLineAsync(CancellationToken cancellationToken) => process.ReadLineAsync(cancellationToken);

    /// <summary>Reads its standard output to the end and discards it, which keeps the pipe from filling.</summary>
    public Task DiscardOutputAsync(CancellationToken cancellationToken) => process.DiscardOutputAsync(cancellationToken);

    /// <summary>Reads its standard output to the end and returns the last line. Null when it wrote none. A cancelled call may be repeated.</summary>
    public async Task<string?> ReadLastLineAsync(CancellationToken cancellationToken)
    {
        while (await ReadLineAsync(cancellationToken) is { } line)
        {
            lastLine = line;
        }

        return lastLine;
    }

    /// <summary>Ends it by closing its standard input, if it reacts to that. Otherwise, or when that takes too long, kills it.</summary>
    public Task EndAsync() => endsWithInput ? process.StopAsync(EndLimit) : process.EndByForceAsync();

    /// <summary>Asks it to end by SIGTERM.</summary>
    /// <exception cref="FailureException">This is Windows, which has no such signal.</exception>
    public Task TerminateAsync() => process.SignalAsync("TERM");

    /// <summary>The end of its standard error. Call it after the process has ended.</summary>
    public Task<IReadOnlyList<string>> LastLinesAsync() => process.AllErrorsAsync();

    /// <summary>Why it ended, in one line, by its standard error. Call it after the process has ended.</summary>
    public async Task<string> LastErrorAsync() => GetReason(await LastLinesAsync());

    /// <summary>The lines that report an error. All lines if none does, as of a program that crashed.</summary>
    internal static string GetReason(IReadOnlyList<string> lines)
    {
        List<string> errors = [.. lines.Where(static line => line.StartsWith("error:", StringComparison.Ordinal))];
        return lines.Count == 0 ? "no output" : string.Join(" | ", errors.Count > 0 ? errors : lines);
    }

    public async ValueTask DisposeAsync()
    {
        await EndAsync();
        await process.DisposeAsync();
    }

    private static bool Take(string line, Action<string>? takeError)
    {
        if (LogLine.Is(line))
        {
            // Of the same run: it belongs among the lines of this process, and is not a last line.
            LogLines(line);
            return true;
        }

        takeError?.Invoke(line);
        return false;
    }
}
