using System.Diagnostics;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Pipeline;

namespace EventHubThroughput.Consumer.Embedded;

/// <summary>
/// A program of this project that runs beside the consumer. Its settings travel by environment, never by argument; the last lines
/// of its standard error are kept for the message when it fails. It ends, at the latest, when its owner disposes it.
/// </summary>
internal sealed class ChildProcess : IAsyncDisposable
{
    private const int KeptLines = 5;
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(10);

    private readonly Process process;
    private readonly bool endsWithInput;
    private readonly TimeProvider timeProvider;
    private readonly Queue<string> lastLines = new();
    private readonly Task reading;

    private ChildProcess(string name, Process process, bool endsWithInput, TimeProvider timeProvider, Action<string>? said)
    {
        Name = name;
        this.process = process;
        this.endsWithInput = endsWithInput;
        this.timeProvider = timeProvider;
        reading = ReadErrorsAsync(said);
        Ended = process.WaitForExitAsync(CancellationToken.None);
    }

    public string Name { get; }

    public Process Process => process;

    /// <summary>Completes when the process has ended, however.</summary>
    public Task Ended { get; }

    public int ExitCode => process.ExitCode;

    /// <summary>Starts the executable of that name beside this program's own.</summary>
    /// <param name="name">The executable.</param>
    /// <param name="arguments">Its arguments, without secrets.</param>
    /// <param name="environment">Variables added to this process's own.</param>
    /// <param name="endsWithInput">Whether it ends by itself when its standard input closes; otherwise it is ended by force.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="said">Told of each line of its standard error, or null.</param>
    public static ChildProcess Start(
        string name,
        IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string> environment,
        bool endsWithInput,
        TimeProvider timeProvider,
        Action<string>? said = null
    )
    {
        var file = Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? $"{name}.exe" : name);
        var start = new ProcessStartInfo(file)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        foreach (var (variable, value) in environment)
        {
            start.Environment[variable] = value;
        }

        try
        {
            return new ChildProcess(name, Process.Start(start)!, endsWithInput, timeProvider, said);
        }
        catch (Exception exception) when (exception is System.ComponentModel.Win32Exception or IOException)
        {
            throw new ExitException(Pipeline.ExitCode.Dependency, $"{name} cannot be started: {exception.Message}", exception);
        }
    }

    /// <summary>The next line of its standard output; null when it has closed that.</summary>
    public async Task<string?> ReadLineAsync(CancellationToken cancellationToken) => await process.StandardOutput.ReadLineAsync(cancellationToken);

    /// <summary>Reads its standard output to the end, which keeps the pipe from filling; what it says there is its own affair.</summary>
    public async Task DiscardOutputAsync(CancellationToken cancellationToken)
    {
        while (await ReadLineAsync(cancellationToken) is not null)
        {
            // As said.
        }
    }

    /// <summary>Ends it: by closing its standard input if it heeds that, by force if not or when that takes too long.</summary>
    public async Task EndAsync()
    {
        if (!process.HasExited && !endsWithInput)
        {
            process.Kill(entireProcessTree: true);
            await Ended;
        }
        else if (!process.HasExited)
        {
            process.StandardInput.Close();
            using var limit = new CancellationTokenSource(EndLimit, timeProvider);
            try
            {
                await Ended.WaitAsync(limit.Token);
            }
            catch (OperationCanceledException) when (limit.IsCancellationRequested)
            {
                process.Kill(entireProcessTree: true);
                await Ended;
            }
        }

        await reading;
    }

    /// <summary>Asks it to end by SIGTERM. The runtime has no call for that.</summary>
    public async Task TerminateAsync()
    {
        using var kill = Process.Start("kill", ["-TERM", process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync(CancellationToken.None);
    }

    /// <summary>The end of its standard error; call it after the process has ended.</summary>
    public async Task<IReadOnlyList<string>> LastLinesAsync()
    {
        await reading;
        lock (lastLines)
        {
            return [.. lastLines];
        }
    }

    /// <summary>The end of its standard error in one line; call it after the process has ended.</summary>
    public async Task<string> LastWordsAsync() => await LastLinesAsync() is { Count: > 0 } lines ? string.Join(" | ", lines) : "it said nothing";

    public async ValueTask DisposeAsync()
    {
        await EndAsync();
        process.Dispose();
    }

    private async Task ReadErrorsAsync(Action<string>? said)
    {
        while (await process.StandardError.ReadLineAsync(CancellationToken.None) is { } line)
        {
            said?.Invoke(line);
            lock (lastLines)
            {
                lastLines.Enqueue(line);
                if (lastLines.Count > KeptLines)
                {
                    lastLines.Dequeue();
                }
            }
        }
    }
}
