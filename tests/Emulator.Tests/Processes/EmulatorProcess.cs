using System.Diagnostics;
using System.Text.Json;

namespace EventHubThroughput.Emulator.Tests.Processes;

/// <summary>The built executable as a process of its own; killed when disposed.</summary>
internal sealed class EmulatorProcess : IAsyncDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly Task<string> _error;

    private EmulatorProcess(Process process)
    {
        _process = process;
        _error = process.StandardError.ReadToEndAsync();
    }

    /// <summary>Empty when it ended before it was ready.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; private set; } = new Dictionary<string, string>();

    /// <summary>Starts the emulator and waits until it is ready, or has ended.</summary>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="fileBlocks">The largest file that it may write, in blocks of 1,024 bytes, as a full disk would have it; null sets no limit.</param>
    public static async Task<EmulatorProcess> StartAsync(string arguments, int? fileBlocks = null)
    {
        var program = Path.Combine(AppContext.BaseDirectory, "emulator");

        // The signal that comes with the limit is ignored, so that a write fails as it does on a full disk.
        var start = fileBlocks is { } blocks
            ? new ProcessStartInfo("bash", ["-c", $"trap '' XFSZ; ulimit -f {blocks}; exec '{program}' {arguments}"])
            : new ProcessStartInfo(program, arguments);
        if (fileBlocks is not null)
        {
            // The runtime keeps its code in a file of memory that is larger than any disk.
            start.Environment["DOTNET_EnableWriteXorExecute"] = "0";
        }

        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        start.RedirectStandardInput = true;
        var process = new EmulatorProcess(Process.Start(start) ?? throw new InvalidOperationException("the emulator did not start"));
        using var limit = new CancellationTokenSource(Limit, TimeProvider.System);
        if (await process._process.StandardOutput.ReadLineAsync(limit.Token) is { } line)
        {
            process.Settings = JsonSerializer.Deserialize<Dictionary<string, string>>(line)!;
        }

        return process;
    }

    public void Kill() => _process.Kill();

    public void CloseInput() => _process.StandardInput.Close();

    public async Task SignalAsync(string signal)
    {
        using var kill = Process.Start("kill", $"-{signal} {_process.Id}");
        await kill.WaitForExitAsync(CancellationToken.None);
    }

    /// <summary>Waits for its end.</summary>
    public async Task<(int ExitCode, string Error)> EndAsync()
    {
        using var limit = new CancellationTokenSource(Limit, TimeProvider.System);
        await _process.WaitForExitAsync(limit.Token);
        return (_process.ExitCode, await _error);
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            await _process.WaitForExitAsync(CancellationToken.None);
        }

        _process.Dispose();
    }
}
