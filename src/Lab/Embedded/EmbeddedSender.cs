using System.Globalization;
using System.Text.Json;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry.Otlp;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Embedded;

/// <summary>The load of a sender.</summary>
/// <param name="Events">Events to send. At a rate, the most that there may be, since the sender is stopped from outside.</param>
/// <param name="Size">Bytes of an event's body, in the form of the sender's option.</param>
/// <param name="Keys">Number of partition keys. 0 sends without.</param>
/// <param name="Rate">Events a second, in the form of the sender's option. Null sends them as fast as they are taken.</param>
/// <param name="Clients">The clients that it sends with.</param>
internal sealed record EmbeddedLoad(int Events, string Size, int Keys, string? Rate, string Clients)
{
    /// <summary>The load of an embedded run.</summary>
    public static EmbeddedLoad Of(LoadOptions options) =>
        new(options.Events, options.Size.Text, options.Keys, options.Rate, options.Clients)
        {
            KeySkew = options.KeySkew,
            Partition = options.Partition,
            Input = options.Input,
            KeyField = options.KeyField,
            Otlp = options.Otlp,
            MetricsTargets = options.MetricsTargets,
        };

    /// <summary>Zipf exponent of the keys. 0: all equally frequent.</summary>
    public double KeySkew { get; init; }

    /// <summary>The file whose events are replayed. Null generates them.</summary>
    public string? Input { get; init; }

    /// <summary>The field of the file that is the partition key. Null sends without keys.</summary>
    public string? KeyField { get; init; }

    /// <summary>The partition that all events go to. Null leaves that to the hub.</summary>
    public int? Partition { get; init; }

    /// <summary>The folder in which Prometheus finds it. Null serves no metrics of it.</summary>
    public string? MetricsTargets { get; init; }

    /// <summary>Where it sends metrics and traces. Null sends none.</summary>
    public OtlpOptions? Otlp { get; init; }
}

/// <summary>Fills the hub by running the sender as a separate process. Only the sender writes the ledger.</summary>
internal static class EmbeddedSender
{
    // 128 and the number of SIGTERM: nothing was sent by then.
    private const int EndedBySigterm = 143;

    private static readonly TimeSpan SampleInterval = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan FillLimit = TimeSpan.FromMinutes(10);

    /// <summary>Runs the sender to its end. Returns the resources that it used, or null if it ended before they were read.</summary>
    public static async Task<ProcessUsage?> FillAsync(
        string run,
        EmbeddedLoad load,
        string ledger,
        IReadOnlyDictionary<string, string> settings,
        TimeProvider timeProvider,
        CancellationToken cancellationToken
    )
    {
        await using var process = Start(run, load, ledger, settings, timeProvider);
        return await FillAsync(process, timeProvider, cancellationToken);
    }

    /// <summary>Lets a waiting sender send all events. Returns the resources that it used, or null if it ended before they were read.</summary>
    public static async Task<ProcessUsage?> FillAsync(
        ChildProcess waiting,
        IReadOnlyDictionary<string, string> settings,
        TimeProvider timeProvider,
        CancellationToken cancellationToken
    )
    {
        await waiting.GiveAsync(JsonSerializer.Serialize(settings), cancellationToken);
        return await FillAsync(waiting, timeProvider, cancellationToken);
    }

    /// <summary>Starts a sender that waits for its settings. So it starts while the services that it sends to start.</summary>
    /// <param name="run">The run that its events name.</param>
    /// <param name="load">What it sends.</param>
    /// <param name="ledger">Where it writes its ledger.</param>
    /// <param name="environment">Variables that it has from the beginning.</param>
    /// <param name="timeProvider">The clock.</param>
    public static ChildProcess StartWaiting(
        string run,
        EmbeddedLoad load,
        string ledger,
        IReadOnlyDictionary<string, string> environment,
        TimeProvider timeProvider
    ) => ChildProcess.Start("sender", [.. GetArguments(run, load, ledger), "--settings-from-input"], environment, endsWithInput: false, timeProvider);

    private static async Task<ProcessUsage?> FillAsync(ChildProcess process, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(FillLimit, timeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        var output = process.ReadLastLineAsync(either.Token);
        ProcessUsage? usage;
        try
        {
            usage = await SampleAsync(process, timeProvider, either.Token);
            await output;
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            throw new FailureException(FailureCause.Dependency, $"the sender did not finish within {FillLimit.TotalMinutes:0} min");
        }

        await RefuseFailureAsync(process);
        return usage;
    }

    /// <summary>Starts a sender that runs beside the consumers until <see cref="StopAsync"/> or its last event.</summary>
    public static ChildProcess Start(string run, EmbeddedLoad load, string ledger, IReadOnlyDictionary<string, string> settings, TimeProvider timeProvider) =>
        ChildProcess.Start("sender", GetArguments(run, load, ledger), settings, endsWithInput: false, timeProvider);

    private static string[] GetArguments(string run, EmbeddedLoad load, string ledger) =>
        [
            "--quiet",
            "--summary",
            "json",
            .. load.Input is null ? Generated(load) : ["--input", load.Input, .. load.KeyField is { } field ? ["--key-field", field] : Array.Empty<string>()],
            "--ledger",
            ledger,
            "--run",
            run,
            "--clients",
            load.Clients,
            .. load.Partition is { } partition ? ["--partition", partition.ToString(CultureInfo.InvariantCulture)] : Array.Empty<string>(),
            // A batch has one key, so batches would put events of one key next to each other in the hub. Single events keep the order in which keys were drawn.
            .. load.Keys > 0 || load.KeyField is not null ? ["--batch", "1"] : Array.Empty<string>(),
            .. load.Rate is { } rate ? ["--rate", rate] : Array.Empty<string>(),
            .. load.Otlp?.Arguments ?? [],
            // A sender that fills the hub before the run ends before its metrics could be read.
            .. load is { MetricsTargets: { } targets, Rate: not null } ? ["--metrics-port", "0", "--metrics-targets", targets] : Array.Empty<string>(),
        ];

    private static string[] Generated(EmbeddedLoad load) =>
        [
            "--count",
            load.Events.ToString(CultureInfo.InvariantCulture),
            "--size",
            load.Size,
            "--keys",
            load.Keys.ToString(CultureInfo.InvariantCulture),
            "--skew",
            load.KeySkew.ToString(CultureInfo.InvariantCulture),
        ];

    /// <summary>Waits for the end of a sender. Its ledger is whole then.</summary>
    /// <returns>What it reports.</returns>
    /// <exception cref="FailureException">It has failed.</exception>
    public static async Task<SentFigures> WaitAsync(ChildProcess process, CancellationToken cancellationToken)
    {
        var report = await EndedAsync(process, cancellationToken);
        await RefuseFailureAsync(process);
        return GetFigures(report) ?? throw new FailureException(FailureCause.Dependency, "the sender ended without a report");
    }

    /// <summary>Asks a sender to stop and waits until its ledger is whole.</summary>
    /// <returns>What it reports. Null where it ended before it sent anything.</returns>
    public static async Task<SentFigures?> StopAsync(ChildProcess process, CancellationToken cancellationToken)
    {
        await process.TerminateAsync();
        var report = await EndedAsync(process, cancellationToken);
        if (process.ExitCode == EndedBySigterm)
        {
            return null;
        }

        await RefuseFailureAsync(process);
        return GetFigures(report);
    }

    private static SentFigures? GetFigures(string? report)
    {
        try
        {
            return report is null ? null : SentFigures.Read(report);
        }
        catch (JsonException exception)
        {
            throw new FailureException(FailureCause.Dependency, "the sender's report cannot be read", exception);
        }
    }

    private static async Task<string?> EndedAsync(ChildProcess process, CancellationToken cancellationToken)
    {
        var last = await process.ReadLastLineAsync(cancellationToken);
        await process.Ended.WaitAsync(cancellationToken);
        return last;
    }

    private static async Task RefuseFailureAsync(ChildProcess process)
    {
        if (process.ExitCode == ExitCode.Usage)
        {
            // A file that was passed on to the sender. The message is the sender's.
            throw new UsageException([
                .. (await process.LastLinesAsync()).Select(line => line.StartsWith("error: ", StringComparison.Ordinal) ? line[7..] : line),
            ]);
        }

        if (process.ExitCode != 0)
        {
            throw new FailureException(FailureCause.Dependency, $"sender ended with code {process.ExitCode}: {await process.LastErrorAsync()}");
        }
    }

    // A process that has ended returns no figures, so it is asked while it lives.
    private static async Task<ProcessUsage?> SampleAsync(ChildProcess process, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        ProcessUsage? last = null;
        var startedAt = timeProvider.GetTimestamp();
        using var timer = new PeriodicTimer(SampleInterval, timeProvider);
        while (!process.Ended.IsCompleted)
        {
            last = ProcessUsage.Of(process.Process) is { } seen ? seen with { Lived = timeProvider.GetElapsedTime(startedAt) } : last;
            await Task.WhenAny(process.Ended, timer.WaitForNextTickAsync(cancellationToken).AsTask());
            cancellationToken.ThrowIfCancellationRequested();
        }

        return last;
    }
}
