using System.Diagnostics;
using System.Globalization;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load;

/// <summary>A program of this project as a process of its own; ended by force, at the latest, when it is disposed of.</summary>
internal sealed class ChildProgram : IAsyncDisposable
{
    private const int KeptLines = 10;

    private readonly Process _process;
    private readonly TimeProvider _clock;
    private readonly Queue<string> _lastLines = new();
    private readonly Task<string> _output;
    private readonly Task _errors;

    private ChildProgram(string name, Process process, TimeProvider clock)
    {
        Name = name;
        _process = process;
        _clock = clock;
        _output = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        _errors = ReadErrorsAsync();
    }

    public string Name { get; }

    public bool HasEnded => _process.HasExited;

    /// <summary>Resident memory in bytes and open handles; null when it has ended, which it may at any time.</summary>
    public (long Resident, int Handles)? Look()
    {
        try
        {
            _process.Refresh();
            return (_process.WorkingSet64, ProcessHandles.Of(_process));
        }
        catch (Exception exception) when (exception is InvalidOperationException or IOException)
        {
            return null;
        }
    }

    public static ChildProgram Start(string name, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> environment, TimeProvider clock)
    {
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? $"{name}.exe" : name))
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

        return new ChildProgram(name, Process.Start(start) ?? throw new ExitException(4, $"the {name} did not start"), clock);
    }

    /// <summary>Asks it to drain and end.</summary>
    public async Task TerminateAsync(CancellationToken cancellationToken)
    {
        using var kill = Process.Start("kill", ["-TERM", _process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync(cancellationToken);
    }

    /// <summary>Waits for its end and gives its exit code, its output, and its last words.</summary>
    /// <exception cref="ExitException">It does not end within the limit.</exception>
    public async Task<(int ExitCode, string Output, string LastLines)> EndAsync(TimeSpan limit, CancellationToken cancellationToken)
    {
        try
        {
            await _process.WaitForExitAsync(cancellationToken).WaitAsync(limit, _clock, cancellationToken);
        }
        catch (TimeoutException)
        {
            throw new ExitException(4, $"the {Name} did not end within {DurationText.Format(limit)}: {LastLines()}");
        }

        await _errors;
        return (_process.ExitCode, await _output, LastLines());
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            await _process.WaitForExitAsync(CancellationToken.None);
        }

        await _errors;
        await _output;
        _process.Dispose();
    }

    private string LastLines()
    {
        lock (_lastLines)
        {
            return string.Join(" | ", _lastLines);
        }
    }

    private async Task ReadErrorsAsync()
    {
        while (await _process.StandardError.ReadLineAsync(CancellationToken.None) is { } line)
        {
            lock (_lastLines)
            {
                _lastLines.Enqueue(line);
                if (_lastLines.Count > KeptLines)
                {
                    _lastLines.Dequeue();
                }
            }
        }
    }
}
