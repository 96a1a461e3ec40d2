using System.CommandLine.Parsing;
using System.Text.Json;
using EventHubThroughput.Processes;

namespace EventHubThroughput.Emulator.Tests.Processes;

/// <summary>The built executable as a separate process, killed when disposed.</summary>
internal sealed class EmulatorProcess : IAsyncDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly RunningProcess process;

    private EmulatorProcess(RunningProcess process) => this.process = process;

    /// <summary>Empty when it ended before it was ready.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; private set; } = new Dictionary<string, string>();

    /// <summary>Starts the emulator and waits until it is ready, or has ended.</summary>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="fileBlocks">The largest file that it may write, in blocks of 1,024 bytes, as a full disk would have it. Null sets no limit.</param>
    public static async Task<EmulatorProcess> StartAsync(string arguments, int? fileBlocks = null)
    {
        var command = ProcessCommand.OfProgram("emulator", [.. CommandLineParser.SplitCommandLine(arguments)]);
        if (fileBlocks is { } blocks)
        {
            // The signal that comes with the limit is ignored, so that a write fails as it does on a full disk. The runtime keeps its code in a
            // file of memory that is larger than any disk.
            command = new ProcessCommand("bash", "-c", $"trap '' XFSZ; ulimit -f {blocks}; exec '{command.File}' {arguments}")
            {
                Variables = new Dictionary<string, string> { ["DOTNET_EnableWriteXorExecute"] = "0" },
            };
        }

        var emulator = new EmulatorProcess(RunningProcess.Start(command with { IsReadByLine = true }));
        using var limit = new CancellationTokenSource(Limit, TimeProvider.System);
        if (await emulator.process.ReadLineAsync(limit.Token) is { } line)
        {
            emulator.Settings = JsonSerializer.Deserialize<Dictionary<string, string>>(line)!;
        }

        return emulator;
    }

    public void Kill() => process.Kill();

    public void CloseInput() => process.CloseInput();

    public Task SignalAsync(string signal) => process.SignalAsync(signal);

    /// <summary>Waits for its end.</summary>
    public async Task<(int ExitCode, string Error)> EndAsync()
    {
        var finished = await process.EndAsync(Limit, CancellationToken.None);
        return (finished.ExitCode, finished.Error);
    }

    public ValueTask DisposeAsync() => process.DisposeAsync();
}
