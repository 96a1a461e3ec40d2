using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Consumer.Running;

/// <summary>Creates and connects the objects of a run, runs it and returns the exit code.</summary>
internal static class RunComposition
{
    /// <param name="options">The options of the run.</param>
    /// <param name="given">The connection settings. Null runs embedded.</param>
    /// <param name="console">Where to write.</param>
    /// <param name="signals">The signals that end the run early.</param>
    /// <param name="clock">The clock.</param>
    public static async Task<int> RunAsync(RunOptions options, MessagingSettings? given, CommandConsole console, StopSignals signals, TimeProvider clock)
    {
        // Checks come before anything is started. A hub of the connection settings has at least one partition.
        Descriptors.EnsureEnough(options.Processing.MaxConcurrency, options.Load?.Partitions ?? 1);
        if (options.Outputs.Result is not null)
        {
            ResultFile.EnsureWritable(options.Outputs.Result);
        }

        if (options.Load is { } load && given is null)
        {
            // Written first, so that a missing connection setting is noticed: this run does not use the real services.
            await console.Error.WriteLineAsync(
                $"embedded run: no connection settings in the environment, so it starts its own emulator (profile {load.Profile}) and sends {(load.Input is { } input ? $"the events of {input}" : Plural.Format(load.Events, "event"))}{(load.Rate is { } rate ? $" at {rate}" : "")}"
            );
        }

        var registry = new MetricRegistry();
        ProcessMetrics.AddTo(registry, typeof(RunComposition).Assembly, ("strategy", options.Processing.Strategy.Name), ("run", options.Run));
        await using var served = await ServeMetricsAsync(options, registry, console, signals.First);
        try
        {
            await using var embedded = given is null ? await EmbeddedServices.StartAsync(options.Run, options.Load!, clock, signals.First) : null;
            if (embedded is not null)
            {
                served?.AddEmulator(embedded.ReadMetricsAsync);
            }

            var settings = given ?? embedded!.Settings;
            var killSwitch = options.KillAt.Point == KillPoint.None ? KillSwitch.Off : KillSwitch.OfProcess(options.KillAt);
            await using var telemetry = RunTelemetry.Start(options, settings, console.Error.WriteLine);
            var report = await ProcessAsync(options, settings, embedded, registry, served, telemetry, console, signals, clock, killSwitch);
            return await RunConclusion.ConcludeAsync(report, ProgramVersion.Text, served, console, signals, clock, killSwitch);
        }
        catch (MessagingException failure)
        {
            throw new FailureException(FailureCause.Dependency, failure.Message, failure);
        }
        catch (OperationCanceledException) when (signals.First.IsCancellationRequested)
        {
            await console.Error.WriteLineAsync("stopped before the first event was read");
            return ExitCode.Done;
        }
    }

    private static async Task<RunReport> ProcessAsync(
        RunOptions options,
        MessagingSettings settings,
        EmbeddedServices? embedded,
        MetricRegistry registry,
        ServedMetrics? served,
        RunTelemetry? telemetry,
        CommandConsole console,
        StopSignals signals,
        TimeProvider clock,
        KillSwitch killSwitch
    )
    {
        RefuseNamesTooLong(settings.EventHubName);
        options = WithRecord(options, embedded);
        var startedUtc = clock.GetUtcNow();
        var clocks = new ClockWatch(options.Processing.OwnershipExpiry, console.Error.WriteLine);
        using var logs = ProgramLog.Create(options.Outputs.Log, "consumer", console.Error);
        using var record = HandlerRecord.Open(options, settings.CheckpointContainer);
        var clientOptions = new ClientOptions
        {
            LoggerFactory = logs,
            Writes = RetryOptions.Once,
            TimeProvider = clock,
            Observer = record is null ? killSwitch.GetObserver(settings) : record.Observe(killSwitch.GetObserver(settings)),
            StorageClockRead = clocks.Note,
            Notice = console.Error.WriteLine,
        };
        foreach (var line in options.Clients.FirstLines(clientOptions, options.Outputs.Log.Frames))
        {
            await console.Error.WriteLineAsync(line);
        }

        await using var clients = options.Clients.Connect(settings, clientOptions);
        var backlog = await Backlog.ReadAsync(clients, clock, options.Processing.AcceptGaps, signals.First);
        Descriptors.EnsureEnough(options.Processing.MaxConcurrency, backlog.Partitions.Count);

        await console.Error.WriteLineAsync(ReadyLine.Of(options.Processing.Identifier, backlog.Events, backlog.Partitions.Count));

        var sinks = options.Work.Before(record is null ? options.Sinks : [.. options.Sinks.Select(record.Record)], clock);
        var sinkNames = sinks.Select(sink => sink.Name).ToArray();
        using var shared = options.Emulator is { } emulator ? ProcessUsage.Find(emulator.ProcessId) : null;
        using var measurement = new RunMeasurement(clock, embedded?.Process ?? shared, new RunStages(sinkNames));
        measurement.WarmUpFor(options.Processing.BatchSize, options.IsFed ? options.Load?.KnownEvents : backlog.Events);
        if (options.Measuring is { } times)
        {
            measurement.MeasureFor(times);
        }

        var metrics = new ConsumerMetrics(registry, options, ProgramVersion.Text, backlog.Partitions.Count, measurement, clock);
        var sample = new EventSample(() => measurement.IsWarm, clock, sinkNames);
        telemetry?.Watch(metrics, measurement);
        foreach (var partition in backlog.Partitions)
        {
            metrics.ForPartition(partition.PartitionId).Lag.Set(partition.Left);
        }

        var processing = options.Processing with
        {
            Observers = partition =>
                [
                    new PartitionMeters(partition, measurement, metrics, clock, options.IsFed ? null : backlog.LastAmongSeveral(partition)),
                    new BacklogProgress(partition, backlog, metrics),
                    sample.ObserverOf(partition),
                    .. telemetry?.ObserversOf(partition) ?? [],
                    .. killSwitch.ObserversOf(sinkNames),
                ],
            LastOfBacklog = options.IsFed ? static _ => null : backlog.GetLast,
            Notice = console.Error.WriteLine,
            LoggerFactory = logs,
            TimeProvider = clock,
        };
        List<BlobSink> blobs = [];
        var noted = sinks.Select(sink => Noting(sink, blobs));
        await using var pump = new EventHubProcessing(clients, settings, processing, [.. telemetry is null ? noted : noted.Select(telemetry.Trace)]);
        metrics.WatchRedelivered(() => blobs.Sum(blob => blob.Repeated));
        metrics.WatchBlocked(() => pump.BlockedEvents);
        signals.DescribeReplay = pump.DescribeReplay;

        var prediction = ModelChoice.GetPrediction(options);
        var view = new ProgressView(GetSubject(options, backlog, prediction?.EventsPerSecond, () => metrics.Load), measurement, console.Error, clock);
        List<Func<CancellationToken, Task>> beside = [view.RunAsync, measurement.ProcessorTimes.RunAsync];
        if (embedded is not null)
        {
            beside.Add(token => embedded.WatchAsync(pump.FailAsync, token));
        }

        // After a drain or a stop, the rest belongs to the end of the run and not to its work.
        async Task WorkAsync(CancellationToken token)
        {
            try
            {
                await MeasuredTime.RunAsync(UntilAsync, measurement, options.Measuring, clock, token);
            }
            finally
            {
                measurement.Ending();
            }
        }

        Task UntilAsync(CancellationToken token) =>
            options.Follow ? FollowAsync(token)
            : embedded is not null && options.IsFed ? SenderProcess.RunAsync(embedded, clients, pump, backlog.Partitions.Count, clock, token)
            : backlog.WaitAsync(() => pump.OwnedPartitions, token);

        var result = await RunBesideAsync(pump, WorkAsync, beside, served, signals);
        var end = result.End;
        var figures = measurement.Finish() with { Sender = embedded?.Sender, Sample = sample.Read() };
        IReadOnlyList<InjectedLatency> latencies = [];
        VerdictReport? readBack = null;
        if (embedded is not null)
        {
            await SenderProcess.StopAsync(embedded, clock);
            latencies = await embedded.ReadLatenciesAsync(CancellationToken.None);
            readBack =
                options.Load is { Topic: true } && File.Exists(embedded.Ledger)
                    ? await TopicReading.JudgeAsync(options, embedded, endedEarly: end != ProcessingEnd.Drained, console.Error, clock)
                    : null;
            await embedded.EndAsync();
        }

        var verdictReport = RunVerification.Judge(
            options,
            settings,
            embedded is null ? GivenSources(options) : OwnSources(embedded, end),
            named: embedded is not null || options.RunIsNamed,
            endedEarly: end != ProcessingEnd.Drained
        );
        metrics.SetVerdict(verdictReport.Word);
        return new RunReport
        {
            Options = options,
            StartedUtc = startedUtc,
            Figures = figures,
            End = end,
            Faults = result.Faults,
            VerdictReport = verdictReport,
            ReadBack = readBack,
            Partitions = backlog.Partitions.Count,
            Backlog = options.IsFed ? null : backlog.Events,
            Sent = embedded?.Sent,
            RepeatedBlobs = blobs.Sum(blob => blob.Repeated),
            BlockedEvents = pump.EverBlockedEvents,
            CountedBreaches = pump.CountedBreaches,
            Prediction = prediction,
            Latencies = latencies,
        };
    }

    // Runs the processing together with the progress view and the watch over the emulator.
    private static async Task<ProcessingResult> RunBesideAsync(
        EventHubProcessing run,
        Func<CancellationToken, Task> drained,
        IReadOnlyList<Func<CancellationToken, Task>> beside,
        ServedMetrics? served,
        StopSignals signals
    )
    {
        using var over = new CancellationTokenSource();
        using var draining = signals.First.Register(() => served?.MarkDraining());
        var others = Task.WhenAll(beside.Select(start => start(over.Token)));
        try
        {
            served?.MarkReady();
            return await run.RunAsync(drained, signals.First);
        }
        finally
        {
            served?.MarkDraining();
            await over.CancelAsync();
            await others;
        }
    }

    private static async Task<ServedMetrics?> ServeMetricsAsync(
        RunOptions options,
        MetricRegistry registry,
        CommandConsole console,
        CancellationToken cancellationToken
    )
    {
        if (options.Outputs.Metrics is not { } served)
        {
            return null;
        }

        if (!System.Net.IPAddress.IsLoopback(served.Address))
        {
            await console.Error.WriteLineAsync($"warning: --metrics-host {served.Address}: metrics can be read from other machines");
        }

        return await ServedMetrics.StartAsync(registry, served, options, console.Error.WriteLine, cancellationToken);
    }

    private static (string Ledger, string Journal)? GivenSources(RunOptions options) =>
        options.Outputs is { Ledger: { } ledger, Journal: { } journal } ? (ledger, journal) : null;

    // Handlers alone leave no trace in the journal. Another process has named the file already.
    private static RunOptions WithRecord(RunOptions options, EmbeddedServices? embedded) =>
        embedded is not null && HandlerRecord.IsNeeded(options)
            ? options with
            {
                Outputs = options.Outputs with { Acknowledgements = HandlerRecord.GetPath(embedded.Folder, options.Run) },
            }
            : options;

    // A run that was stopped before its sender sent an event has no ledger.
    private static (string Ledger, string Journal)? OwnSources(EmbeddedServices embedded, ProcessingEnd end) =>
        end == ProcessingEnd.Stopped && !File.Exists(embedded.Ledger) ? null : (embedded.Ledger, embedded.Journal);

    // Takes the sink before decorators wrap it.
    private static SinkDescriptor Noting(SinkDescriptor sink, List<BlobSink> blobs) =>
        sink with
        {
            Create = context =>
            {
                var made = sink.Create(context);
                blobs.AddRange(made is BlobSink blob ? [blob] : []);
                return made;
            },
        };

    // Otherwise the first event would find this, long after the start.
    private static void RefuseNamesTooLong(string hub)
    {
        try
        {
            SinkNames.MessageId(hub, "1023", long.MaxValue);
        }
        catch (ArgumentException)
        {
            throw new UsageException($"EVENTHUB_NAME: too long: message identifiers made from it would exceed {SinkNames.LongestMessageId} characters");
        }
    }

    private static Task FollowAsync(CancellationToken stopped) => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, stopped);

    private static ProgressSubject GetSubject(RunOptions options, Backlog backlog, double? prediction, Func<(long InFlight, long Lag)> load) =>
        new(options.Processing.Strategy.Label, options.IsFed ? options.Load?.KnownEvents : backlog.Events, prediction)
        {
            Setting =
                $"  degree {options.Processing.MaxConcurrencyInForce}, batch {options.Processing.BatchSize}, {Plural.Format(backlog.Partitions.Count, "partition")}"
                + (options.Profile is { } profile ? $", profile {profile}" : ""),
            Length = options.Measuring is { Length: { } length } measuring ? (measuring.WarmUp ?? TimeSpan.Zero) + length : null,
            Load = load,
        };
}
