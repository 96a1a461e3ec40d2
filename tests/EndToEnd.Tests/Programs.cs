using System.Diagnostics;
using System.Text.Json;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>What a finished process left behind.</summary>
internal sealed record Finished(int ExitCode, string Output, string Error);

/// <summary>Starts the built executables, which lie beside the tests, as processes of their own.</summary>
internal static class Programs
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    public static Task<Finished> ConsumerAsync(
        string arguments,
        IReadOnlyDictionary<string, string>? settings,
        CancellationToken cancellationToken,
        TimeSpan? limit = null
    ) => RunAsync("consumer", arguments, settings, cancellationToken, limit);

    public static Task<Finished> SenderAsync(string arguments, IReadOnlyDictionary<string, string>? settings, CancellationToken cancellationToken) =>
        RunAsync("sender", arguments, settings, cancellationToken);

    public static async Task<Finished> RunAsync(
        string program,
        string arguments,
        IReadOnlyDictionary<string, string>? settings,
        CancellationToken cancellationToken,
        TimeSpan? limit = null
    )
    {
        await using RunningProgram running = RunningProgram.Start(program, arguments, settings);
        return await running.EndAsync(cancellationToken, limit);
    }
}

/// <summary>A process under test; killed when disposed, so that no test leaves one behind.</summary>
internal sealed class RunningProgram : IAsyncDisposable
{
    private readonly Process _process;
    private readonly Task<string> _error;
    private readonly Task<string>? _output;

    private RunningProgram(Process process, bool readOutput)
    {
        _process = process;
        _error = process.StandardError.ReadToEndAsync();
        _output = readOutput ? process.StandardOutput.ReadToEndAsync() : null;
    }

    public int Id => _process.Id;

    public bool HasExited => _process.HasExited;

    public StreamReader Output => _process.StandardOutput;

    public static RunningProgram Start(string program, string arguments, IReadOnlyDictionary<string, string>? settings, bool readOutput = true)
    {
        ProcessStartInfo start = new(Path.Combine(AppContext.BaseDirectory, program), arguments)
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        foreach (string name in start.Environment.Keys.Where(IsSetting).ToArray())
        {
            start.Environment.Remove(name);
        }

        foreach ((string name, string value) in settings ?? new Dictionary<string, string>())
        {
            start.Environment[name] = value;
        }

        return new RunningProgram(Process.Start(start) ?? throw new InvalidOperationException($"{program} did not start"), readOutput);
    }

    public void Kill() => _process.Kill(entireProcessTree: false);

    public async Task SignalAsync(string signal, CancellationToken cancellationToken)
    {
        using Process kill = Process.Start("kill", $"-{signal} {_process.Id}");
        await kill.WaitForExitAsync(cancellationToken);
    }

    /// <param name="cancellationToken">Gives up waiting.</param>
    /// <param name="longest">How long it may take; <see cref="Programs.Limit"/> unless given.</param>
    public async Task<Finished> EndAsync(CancellationToken cancellationToken, TimeSpan? longest = null)
    {
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(longest ?? Programs.Limit);
        try
        {
            await _process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException exception) when (!cancellationToken.IsCancellationRequested)
        {
            _process.Kill(entireProcessTree: true);
            throw new TimeoutException(
                $"'{_process.StartInfo.FileName} {_process.StartInfo.Arguments}' did not end in {longest ?? Programs.Limit}: {await _error}",
                exception
            );
        }

        return new Finished(_process.ExitCode, _output is null ? "" : await _output, await _error);
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            await _process.WaitForExitAsync(CancellationToken.None);
        }

        _process.Dispose();
    }

    private static bool IsSetting(string name) =>
        name.StartsWith("EVENTHUB_", StringComparison.Ordinal)
        || name.StartsWith("SERVICEBUS_", StringComparison.Ordinal)
        || name.StartsWith("STORAGE_", StringComparison.Ordinal)
        || name is "CHECKPOINT_CONTAINER" or "DEADLETTER_CONTAINER";
}

/// <summary>An emulator of the test's own, as a process, with its journal in a folder that is deleted at the end.</summary>
internal sealed class EmulatorProcess : IAsyncDisposable
{
    private readonly RunningProgram _program;
    private readonly DirectoryInfo _folder;

    private EmulatorProcess(RunningProgram program, DirectoryInfo folder, IReadOnlyDictionary<string, string> settings)
    {
        _program = program;
        _folder = folder;
        Settings = settings;
    }

    public IReadOnlyDictionary<string, string> Settings { get; }

    public string Journal => Path.Combine(_folder.FullName, "journal");

    public string File(string name) => Path.Combine(_folder.FullName, name);

    public static async Task<EmulatorProcess> StartAsync(string arguments, CancellationToken cancellationToken)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-e2e-");
        RunningProgram program = RunningProgram.Start(
            "emulator",
            $"--journal {Path.Combine(folder.FullName, "journal")} --journal-properties eht-run,eht-index {arguments}",
            settings: null,
            readOutput: false
        );
        string? line = await program.Output.ReadLineAsync(cancellationToken);
        if (line is null)
        {
            Finished finished = await program.EndAsync(cancellationToken);
            throw new InvalidOperationException($"the emulator ended with {finished.ExitCode}: {finished.Error}");
        }

        return new EmulatorProcess(program, folder, JsonSerializer.Deserialize<Dictionary<string, string>>(line)!);
    }

    public void Kill() => _program.Kill();

    /// <summary>Asks the emulator to end, so that its journal is whole.</summary>
    public async Task<Finished> StopAsync(CancellationToken cancellationToken)
    {
        await _program.SignalAsync("TERM", cancellationToken);
        return await _program.EndAsync(cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await _program.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}
