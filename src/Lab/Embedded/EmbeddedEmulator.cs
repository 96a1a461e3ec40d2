using System.Globalization;
using System.Text.Json;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Embedded;

/// <summary>
/// The emulator as a separate process, with a hub, a queue and containers that belong to one run alone. Their names are short, because each record of the
/// journal contains them.
/// </summary>
internal sealed class EmbeddedEmulator : IAsyncDisposable
{
    private EmbeddedEmulator(ChildProcess process, IReadOnlyDictionary<string, string> settings)
    {
        Process = process;
        Settings = settings;
    }

    public ChildProcess Process { get; }

    /// <summary>The settings that the emulator reported, by the names of the environment variables.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; }

    public static async Task<EmbeddedEmulator> StartAsync(
        int partitions,
        string profile,
        string? faults,
        IReadOnlyList<string> groups,
        EmbeddedFolder folder,
        long memoryMebibytes,
        IReadOnlyDictionary<string, string> environment,
        TimeSpan startLimit,
        TimeProvider timeProvider,
        CancellationToken cancellationToken
    )
    {
        IEnumerable<string> arguments =
        [
            "--exit-with-stdin",
            "--hub",
            "hub",
            "--queue",
            "queue",
            "--containers",
            "archive,checkpoints,deadletters",
            "--partitions",
            partitions.ToString(CultureInfo.InvariantCulture),
            "--profile",
            profile,
            "--journal",
            folder.Journal,
            "--spill",
            folder.Path,
            "--memory-limit",
            memoryMebibytes.ToString(CultureInfo.InvariantCulture),
            "--journal-properties",
            "eht-run,eht-index",
            .. groups.Count == 0 ? Array.Empty<string>() : ["--consumer-groups", string.Join(',', groups)],
            .. faults is null ? Array.Empty<string>() : ["--faults", faults],
        ];
        return await StartAsync(arguments, environment, startLimit, timeProvider, cancellationToken);
    }

    /// <summary>Starts one with arguments of the caller's own. It ends with its standard input only if they say so.</summary>
    public static async Task<EmbeddedEmulator> StartAsync(
        IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string> environment,
        TimeSpan startLimit,
        TimeProvider timeProvider,
        CancellationToken cancellationToken
    )
    {
        var process = ChildProcess.Start("emulator", arguments, environment, endsWithInput: true, timeProvider);
        try
        {
            var line = await ReadyLineAsync(process, startLimit, timeProvider, cancellationToken);
            var settings =
                JsonSerializer.Deserialize<Dictionary<string, string>>(line)
                ?? throw new FailureException(FailureCause.Dependency, "emulator printed no settings");
            return new EmbeddedEmulator(process, settings);
        }
        catch (JsonException exception)
        {
            await process.DisposeAsync();
            throw new FailureException(FailureCause.Dependency, "emulator printed settings that are not JSON", exception);
        }
        catch
        {
            await process.DisposeAsync();
            throw;
        }
    }

    public ValueTask DisposeAsync() => Process.DisposeAsync();

    private static async Task<string> ReadyLineAsync(ChildProcess process, TimeSpan startLimit, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(startLimit, timeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            if (await process.ReadLineAsync(either.Token) is { } line)
            {
                return line;
            }
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            throw new FailureException(FailureCause.Dependency, $"emulator not ready within {DurationText.Format(startLimit)} ({EmulatorStart.Option})");
        }

        await process.EndAsync();
        if (process.ExitCode == ExitCode.Usage)
        {
            // An option that was passed on to the emulator. The message is the emulator's.
            throw new UsageException([
                .. (await process.LastLinesAsync()).Select(line => line.StartsWith("error: ", StringComparison.Ordinal) ? line[7..] : line),
            ]);
        }

        throw new FailureException(
            FailureCause.Dependency,
            $"emulator ended with code {process.ExitCode} before it was ready: {await process.LastErrorAsync()}"
        );
    }
}
