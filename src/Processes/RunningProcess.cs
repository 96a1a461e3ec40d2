using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Processes;

/// <summary>
/// A started process with its three streams. Both of its outputs are read continuously, so that it never waits for this process. Disposal kills it, with all
/// processes that it has started. Safe for use by several threads.
/// </summary>
public sealed class RunningProcess : IAsyncDisposable
{
    private readonly ProcessCommand command;
    private readonly Process process;
    private readonly Queue<string> errors = new();
    private readonly Task reading;
    private readonly Task<string>? output;
    private TaskCompletionSource nextError = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private RunningProcess(ProcessCommand command, Process process)
    {
        this.command = command;
        this.process = process;
        reading = ReadErrorsAsync();
        output = command.IsReadByLine ? null : process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        Ended = process.WaitForExitAsync(CancellationToken.None);
    }

    public string Name => command.Name;

    public int Id => process.Id;

    /// <summary>Completes when it has ended in any way.</summary>
    public Task Ended { get; }

    public bool HasEnded => process.HasExited;

    /// <exception cref="InvalidOperationException">It has not ended.</exception>
    public int ExitCode => process.ExitCode;

    /// <summary>The process itself, for its resource usage.</summary>
    public Process Process => process;

    /// <exception cref="FailureException">It cannot be started (exit code 4).</exception>
    public static RunningProcess Start(ProcessCommand command)
    {
        var start = new ProcessStartInfo(command.File, command.Arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
            WorkingDirectory = command.Folder ?? string.Empty,
        };
        foreach (var name in start.Environment.Keys.Where(name => command.IsWithheld?.Invoke(name) == true).ToList())
        {
            start.Environment.Remove(name);
        }

        foreach (var (name, value) in command.Variables)
        {
            start.Environment[name] = value;
        }

        try
        {
            return new RunningProcess(command, Process.Start(start)!);
        }
        catch (Exception exception) when (exception is Win32Exception or IOException)
        {
            throw new FailureException(FailureCause.Dependency, $"{command.Name} cannot be started: {exception.Message}", exception);
        }
    }

    /// <summary>Starts a process and waits for its end. Kills it when that takes too long.</summary>
    /// <param name="command">The process.</param>
    /// <param name="limit">The longest duration.</param>
    /// <param name="cancellationToken">Kills it.</param>
    /// <exception cref="TimeoutException">It took too long.</exception>
    public static async Task<FinishedProcess> RunAsync(ProcessCommand command, TimeSpan limit, CancellationToken cancellationToken)
    {
        await using var running = Start(command);
        running.CloseInput();
        return await running.EndAsync(limit, cancellationToken);
    }

    /// <summary>The next line of its standard output. Null when the output is closed.</summary>
    /// <exception cref="InvalidOperationException">Its output is collected.</exception>
    public async Task<string?> ReadLineAsync(CancellationToken cancellationToken) =>
        output is null
            ? await process.StandardOutput.ReadLineAsync(cancellationToken)
            : throw new InvalidOperationException($"{nameof(ProcessCommand.IsReadByLine)} is not set.");

    /// <summary>Reads its standard output to the end and ignores it, so that the pipe does not fill.</summary>
    public async Task DiscardOutputAsync(CancellationToken cancellationToken)
    {
        while (await ReadLineAsync(cancellationToken) is not null)
        {
            // The output is ignored.
        }
    }

    /// <summary>Waits for a line with this text on its standard error. An earlier line counts as well.</summary>
    /// <exception cref="InvalidOperationException">It has ended without such a line.</exception>
    public async Task WaitForOutputAsync(string text, CancellationToken cancellationToken)
    {
        while (true)
        {
            var hasEnded = reading.IsCompleted;
            Task next;
            lock (errors)
            {
                if (errors.Any(line => line.Contains(text, StringComparison.Ordinal)))
                {
                    return;
                }

                next = nextError.Task;
            }

            if (hasEnded)
            {
                throw new InvalidOperationException($"{Name} has ended without the line '{text}': {await ErrorAsync()}");
            }

            await Task.WhenAny(next, reading).WaitAsync(cancellationToken);
        }
    }

    /// <summary>Writes to its standard input.</summary>
    public Task WriteAsync(string text, CancellationToken cancellationToken) => process.StandardInput.WriteAsync(text.AsMemory(), cancellationToken);

    /// <summary>Ends its standard input.</summary>
    public void CloseInput() => process.StandardInput.Close();

    /// <summary>Sends it a signal. The runtime has no call for that, and Windows has no signals.</summary>
    /// <param name="signal">Its name without SIG: TERM, INT, STOP.</param>
    /// <exception cref="FailureException">This is Windows (exit code 2).</exception>
    public async Task SignalAsync(string signal)
    {
        if (OperatingSystem.IsWindows())
        {
            throw new FailureException(FailureCause.Input, $"{Name} cannot be sent a signal: Windows has no SIG{signal}");
        }

        using var kill = Process.Start("kill", [$"-{signal}", process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync(CancellationToken.None);
    }

    /// <summary>Kills it, but no process that it has started.</summary>
    public void Kill() => process.Kill();

    /// <summary>Waits for its end.</summary>
    /// <param name="limit">The longest wait.</param>
    /// <param name="cancellationToken">Ends the wait. The process continues.</param>
    /// <exception cref="TimeoutException">It took too long and was killed.</exception>
    public async Task<FinishedProcess> EndAsync(TimeSpan limit, CancellationToken cancellationToken)
    {
        try
        {
            await Ended.WaitAsync(limit, command.Clock, cancellationToken);
        }
        catch (TimeoutException exception)
        {
            await EndByForceAsync();
            throw new TimeoutException($"'{Name} {string.Join(' ', command.Arguments)}' did not end in {limit}: {await ErrorAsync()}", exception);
        }

        return new FinishedProcess(process.ExitCode, output is null ? string.Empty : await output, await ErrorAsync());
    }

    /// <summary>Closes its standard input, which ends some programs, and kills it when that takes too long.</summary>
    /// <param name="grace">The longest wait.</param>
    public async Task StopAsync(TimeSpan grace)
    {
        if (!process.HasExited)
        {
            CloseInput();
            try
            {
                await Ended.WaitAsync(grace, command.Clock, CancellationToken.None);
            }
            catch (TimeoutException)
            {
                await EndByForceAsync();
            }
        }

        await reading;
    }

    /// <summary>Kills it, with all processes that it has started.</summary>
    public async Task EndByForceAsync()
    {
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
        }

        await Ended;
    }

    /// <summary>The kept lines of its standard error, now.</summary>
    public IReadOnlyList<string> LastErrors()
    {
        lock (errors)
        {
            return [.. errors];
        }
    }

    /// <summary>The kept lines of its standard error, after it has ended.</summary>
    public async Task<IReadOnlyList<string>> AllErrorsAsync()
    {
        await reading;
        return LastErrors();
    }

    public async ValueTask DisposeAsync()
    {
        await EndByForceAsync();
        process.Dispose();
    }

    private async Task<string> ErrorAsync() => string.Concat((await AllErrorsAsync()).Select(static line => $"{line}\n"));

    private async Task ReadErrorsAsync()
    {
        while (await process.StandardError.ReadLineAsync(CancellationToken.None) is { } line)
        {
            if (command.TakeError?.Invoke(line) == true)
            {
                continue;
            }

            lock (errors)
            {
                errors.Enqueue(line);
                if (errors.Count > command.KeptErrors)
                {
                    errors.Dequeue();
                }

                nextError.SetResult();
                nextError = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }
        }
    }
}

/// <summary>The results of a process that has ended.</summary>
/// <param name="ExitCode">Its exit code. That of its signal, 128 and more, when it was killed.</param>
/// <param name="Output">Its standard output, except lines that were read.</param>
/// <param name="Error">Its standard error, or its last lines, by the options of the command.</param>
public sealed record FinishedProcess(int ExitCode, string Output, string Error);
