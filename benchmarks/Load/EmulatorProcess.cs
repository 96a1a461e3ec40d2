using System.Text.Json;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Processes;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load;

/// <summary>An emulator as a separate process, with the figures that can be read from outside. Disposal ends it.</summary>
internal sealed class EmulatorProcess : IAsyncDisposable
{
    private static readonly TimeSpan ReadyLimit = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(20);

    private readonly RunningProcess process;
    private readonly TimeProvider clock;
    private bool ended;

    private EmulatorProcess(RunningProcess process, TimeProvider clock)
    {
        this.process = process;
        this.clock = clock;
    }

    public IReadOnlyDictionary<string, string> Settings { get; private set; } = new Dictionary<string, string>();

    public TimeSpan ProcessorTime
    {
        get
        {
            process.Process.Refresh();
            return process.Process.TotalProcessorTime;
        }
    }

    public long ResidentBytes
    {
        get
        {
            process.Process.Refresh();
            return process.Process.WorkingSet64;
        }
    }

    public int Handles => ProcessHandles.Of(process.Process);

    /// <param name="retentionBytes">The retention of each partition. Without a limit, the load alone fills the memory.</param>
    /// <param name="runtime">Settings of its runtime, as environment variables. Null sets none.</param>
    /// <param name="arguments">Further arguments of the emulator.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends the wait for it.</param>
    /// <param name="partitions">Partitions of the hub.</param>
    /// <param name="messageLife">How long the queue keeps a message that is not received. Null keeps it without limit.</param>
    public static async Task<EmulatorProcess> StartAsync(
        int retentionBytes,
        IReadOnlyDictionary<string, string>? runtime,
        IEnumerable<string> arguments,
        TimeProvider clock,
        CancellationToken cancellationToken,
        int partitions = CeilingLoads.UsualPartitions,
        string? messageLife = null
    )
    {
        // The emulator reads it while it starts.
        using var settings = new TemporaryFile();
        await File.WriteAllTextAsync(settings.Path, GetSettings(retentionBytes, partitions, messageLife), cancellationToken);
        return await StartAsync(["--exit-with-stdin", "--settings", settings.Path, .. arguments], runtime, clock, cancellationToken);
    }

    private static string GetSettings(int retentionBytes, int partitions, string? messageLife) =>
        $$"""
            {
              "hubs": [{ "name": "hub", "partitions": {{partitions}}, "retentionSize": {{retentionBytes}} }],
              "queues": [{ "name": "queue"{{(messageLife is null ? "" : $", \"timeToLive\": \"{messageLife}\"")}} }],
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
        var started = RunningProcess.Start(
            ProcessCommand.OfProgram("emulator", [.. arguments]) with
            {
                Variables = runtime ?? new Dictionary<string, string>(),
                IsReadByLine = true,
                TakeError = PassOn,
                Clock = clock,
            }
        );
        var emulator = new EmulatorProcess(started, clock);
        try
        {
            var line = await started.ReadLineAsync(cancellationToken).WaitAsync(ReadyLimit, clock, cancellationToken);
            emulator.Settings = JsonSerializer.Deserialize<Dictionary<string, string>>(
                line ?? throw new FailureException(FailureCause.Dependency, "the emulator ended before it was ready")
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
            settings.Settings ?? throw new FailureException(FailureCause.Dependency, string.Join("; ", settings.Problems)),
            new ClientOptions { TimeProvider = clock }
        );
    }

    public async ValueTask DisposeAsync()
    {
        if (ended)
        {
            return;
        }

        ended = true;
        await process.StopAsync(EndLimit);
        await process.DisposeAsync();
    }

    private static bool PassOn(string line)
    {
        if (!line.StartsWith("emulator ready", StringComparison.Ordinal))
        {
            Console.Error.WriteLine(line);
        }

        return true;
    }
}
