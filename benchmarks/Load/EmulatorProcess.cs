using System.Diagnostics;
using System.Text.Json;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load;

/// <summary>An emulator as a process of its own, with what can be seen of it from outside. It ends when it is disposed of.</summary>
internal sealed class EmulatorProcess : IAsyncDisposable
{
    private static readonly TimeSpan ReadyLimit = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(20);

    private readonly Process _process;
    private readonly TimeProvider _clock;
    private readonly Task _errors;
    private bool _ended;

    private EmulatorProcess(Process process, TimeProvider clock)
    {
        _process = process;
        _clock = clock;
        _errors = PassOnErrorsAsync();
    }

    public IReadOnlyDictionary<string, string> Settings { get; private set; } = new Dictionary<string, string>();

    public TimeSpan ProcessorTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    public long ResidentBytes
    {
        get
        {
            _process.Refresh();
            return _process.WorkingSet64;
        }
    }

    public int Handles => ProcessHandles.Of(_process);

    /// <param name="retentionBytes">What each of the hub's partitions keeps: without a limit, load alone fills the memory.</param>
    /// <param name="runtime">Settings of its runtime, as environment variables; the runtime's own when null.</param>
    /// <param name="arguments">Further arguments of the emulator.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends the wait for it.</param>
    /// <param name="partitions">Partitions of the hub.</param>
    public static async Task<EmulatorProcess> StartAsync(
        int retentionBytes,
        IReadOnlyDictionary<string, string>? runtime,
        IEnumerable<string> arguments,
        TimeProvider clock,
        CancellationToken cancellationToken,
        int partitions = 4
    )
    {
        // Read while it starts.
        using var settings = new TemporaryFile();
        await File.WriteAllTextAsync(settings.Path, SettingsOf(retentionBytes, partitions), cancellationToken);
        return await StartAsync(["--exit-with-stdin", "--settings", settings.Path, .. arguments], runtime, clock, cancellationToken);
    }

    private static string SettingsOf(int retentionBytes, int partitions) =>
        $$"""
            {
              "hubs": [{ "name": "hub", "partitions": {{partitions}}, "retentionSize": {{retentionBytes}} }],
              "queues": [{ "name": "queue" }],
              "containers": ["archive", "checkpoints", "deadletters"]
            }
            """;

    private static async Task<EmulatorProcess> StartAsync(
        IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string>? runtime,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "emulator.exe" : "emulator"))
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

        foreach (var (name, value) in runtime ?? new Dictionary<string, string>())
        {
            start.Environment[name] = value;
        }

        var process = Process.Start(start) ?? throw new ExitException(4, "the emulator did not start");
        var emulator = new EmulatorProcess(process, clock);
        try
        {
            var line = await process.StandardOutput.ReadLineAsync(cancellationToken).AsTask().WaitAsync(ReadyLimit, clock, cancellationToken);
            emulator.Settings = JsonSerializer.Deserialize<Dictionary<string, string>>(
                line ?? throw new ExitException(4, "the emulator ended before it was ready")
            )!;
            return emulator;
        }
        catch
        {
            await emulator.DisposeAsync();
            throw;
        }
    }

    public IMessagingClients CreateClients(ClientFamily family)
    {
        var settings = MessagingSettings.FromEnvironment(Settings.GetValueOrDefault, SettingsScope.Consumer);
        return family.Connect(
            settings.Settings ?? throw new ExitException(4, string.Join("; ", settings.Problems)),
            new ClientOptions { TimeProvider = _clock }
        );
    }

    public async ValueTask DisposeAsync()
    {
        if (_ended)
        {
            return;
        }

        _ended = true;
        _process.StandardInput.Close();
        try
        {
            await _process.WaitForExitAsync(CancellationToken.None).WaitAsync(EndLimit, _clock, CancellationToken.None);
        }
        catch (TimeoutException)
        {
            _process.Kill();
        }

        await _errors;
        _process.Dispose();
    }

    private async Task PassOnErrorsAsync()
    {
        while (await _process.StandardError.ReadLineAsync(CancellationToken.None) is { } line)
        {
            if (!line.StartsWith("emulator ready", StringComparison.Ordinal))
            {
                await Console.Error.WriteLineAsync(line);
            }
        }
    }
}
