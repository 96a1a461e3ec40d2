using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Sender.Input;
using EventHubThroughput.Sender.Sending;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry.Logs;
using EventHubThroughput.Telemetry.Otlp;
using EventHubThroughput.Workload;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Sender;

/// <summary>One run. It checks settings and input together, then opens the ledger, then the event hub. Only then does it send.</summary>
internal sealed class SenderRun(
    CommandConsole console,
    ClientFamily family,
    Func<ClientFamily, MessagingSettings, ILoggerFactory, IMessagingClients> connect,
    LogChoice log,
    ISendProgress? progress,
    TimeProvider timeProvider
)
{
    /// <summary>The value of a connection setting, or null when it is not set.</summary>
    public Func<string, string?> Settings { get; init; } = console.Environment;

    /// <summary>Whether the final figures are a line of JSON instead of sentences.</summary>
    public bool PrintsJson { get; init; }

    /// <summary>Where metrics are served. Null serves none.</summary>
    public SendMetricsOptions? Metrics { get; init; }

    /// <summary>Where metrics and traces are sent. Null sends none.</summary>
    public OtlpOptions? Otlp { get; init; }

    public async Task<int> RunAsync(Func<IEventSource> open, SendOptions options, string? ledger, CancellationToken cancellationToken)
    {
        var (settings, source) = Check(open);
        var counters = new SendCounters(source.Count);
        using var recorder = new LedgerRecorder(ledger, settings.EventHubName, counters);
        int printed;
        try
        {
            if (log.Frames)
            {
                foreach (var line in family.FirstLines(new ClientOptions(), frames: true))
                {
                    await console.Error.WriteLineAsync(line);
                }
            }

            using var logs = ProgramLog.Create(log, "sender", console.Error);
            await using var served = await SendMetrics.StartAsync(Metrics, options.Run, counters, console.Error.WriteLine, cancellationToken);
            await using var telemetry = SendTelemetry.Start(Otlp, options.Run, settings, counters, console.Error.WriteLine);
            await using var clients = connect(family, settings, logs);
            printed = await SendAsync(clients, source, recorder, options, counters, telemetry, cancellationToken);
        }
        catch (MessagingException exception)
        {
            throw new FailureException(FailureCause.Dependency, exception.Message, exception);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // Stopped before the first event was sent.
            return 0;
        }

        return counters.Failed + counters.Unknown == 0
            ? printed
            : throw new FailureException(
                FailureCause.Dependency,
                $"not every event was acknowledged: {counters.Failed:N0} refused, {counters.Unknown:N0} without an answer"
            );
    }

    private (MessagingSettings Settings, IEventSource Source) Check(Func<IEventSource> open)
    {
        var problems = new List<string>();
        var found = MessagingSettings.FromEnvironment(Settings, SettingsScope.Sender);
        problems.AddRange(found.IsNone ? ["EVENTHUB_CONNECTION_STRING: not set (the emulator prints it)"] : found.Problems);
        problems.AddRange(found.Settings is null ? [] : family.ProblemsOf(found.Settings));
        try
        {
            var source = open();
            if (problems.Count == 0)
            {
                return (found.Settings!, source);
            }
        }
        catch (UsageException exception)
        {
            problems.AddRange(exception.Problems);
        }

        throw new UsageException(problems);
    }

    // Returns the exit code of printing the result.
    private async Task<int> SendAsync(
        IMessagingClients clients,
        IEventSource source,
        LedgerRecorder recorder,
        SendOptions options,
        SendCounters counters,
        SendTelemetry? telemetry,
        CancellationToken cancellationToken
    )
    {
        // Asks first, so that a missing hub is reported before any event is counted as failed.
        var hub = await clients.GetEventHubPropertiesAsync(cancellationToken);
        if (source is IFileSource file)
        {
            await using var measuring = clients.CreateEventHubWriter();
            await new FitCheck(measuring, options, telemetry is not null, timeProvider).CheckAsync(file, cancellationToken);
        }

        recorder.Begin();
        using var over = new CancellationTokenSource();
        var showing = progress?.RunAsync(counters, over.Token) ?? Task.CompletedTask;
        var began = timeProvider.GetTimestamp();
        var printed = 0;
        try
        {
            await using var buffered = options.IsBuffered ? clients.CreateBufferedEventWriter() : null;
            await using var plain = options.IsBuffered ? null : clients.CreateEventHubWriter();
            var writer = plain is null ? null : telemetry?.Around(plain, timeProvider) ?? plain;
            await new SendLoop(
                halt =>
                    buffered is not null
                        ? new BufferedSending(buffered, recorder, options, halt, timeProvider)
                        : new LaneSending(writer!, recorder, options, halt, timeProvider),
                options,
                timeProvider,
                telemetry
            ).RunAsync(source, cancellationToken);
        }
        finally
        {
            var elapsed = timeProvider.GetElapsedTime(began);
            await over.CancelAsync();
            await showing;
            printed = WriteSummary(hub.Name, options, counters, elapsed);
        }

        return printed;
    }

    private int WriteSummary(string hub, SendOptions options, SendCounters counters, TimeSpan elapsed)
    {
        var meant = new SendSchedule(options.Rates).MeanRate(Math.Max(1, counters.Attempted));
        var figures = new SentFigures
        {
            Run = options.Run,
            Hub = hub,
            Intended = counters.Intended,
            Attempted = counters.Attempted,
            Acknowledged = counters.Acknowledged,
            Failed = counters.Failed,
            Unknown = counters.Unknown,
            TookS = elapsed.TotalSeconds,
            AchievedPerS = counters.Acknowledged / Math.Max(elapsed.TotalSeconds, 0.001),
            IntendedPerS = meant,
            MostLateMs = meant is null ? null : counters.MostLate.TotalMilliseconds,
        };
        if (PrintsJson)
        {
            return console.Print(output => output.WriteLine(figures.Write()));
        }

        console.Error.WriteLine(figures.RateSentence);
        return console.Print(output => output.WriteLine(figures.Summary));
    }
}
