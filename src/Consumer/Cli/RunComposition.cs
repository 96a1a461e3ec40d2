using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Embedded;
using EventHubThroughput.Consumer.Invariants;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Consumer.Reporting;
using EventHubThroughput.Consumer.Sinks;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Events;
using EventHubThroughput.Metrics;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>Makes the objects of a run and ties them together, from top to bottom; ends with its exit code.</summary>
internal static class RunComposition
{
    /// <param name="options">What to do.</param>
    /// <param name="given">The connection settings; null runs embedded.</param>
    /// <param name="console">Where to write.</param>
    /// <param name="signals">What ends the run early.</param>
    /// <param name="clock">The clock.</param>
    public static async Task<int> RunAsync(ConsumerOptions options, MessagingSettings? given, CommandConsole console, StopSignals signals, TimeProvider clock)
    {
        // What can be refused is refused before anything is started; a hub given by settings has one partition at the least.
        Descriptors.EnsureEnough(options.Degree, options.Embedded?.Partitions ?? 1);
        if (options.Output is not null)
        {
            ResultFile.EnsureWritable(options.Output);
        }

        using var registry = new MetricRegistry("consumer");
        ProcessMetrics.AddTo(registry);
        await using var endpoint = await ServeMetricsAsync(options.Metrics, registry, console, signals.First);
        try
        {
            await using var embedded = given is null
                ? await EmbeddedServices.StartAsync(options.Run, options.Embedded!, console.Error, clock, signals.First)
                : null;
            var settings = given ?? embedded!.Settings;
            var killSwitch = options.KillAt.Point == KillPoint.None ? KillSwitch.Off : KillSwitch.OfProcess(options.KillAt);
            var report = await ProcessAsync(options, settings, embedded, registry, endpoint, console, signals, clock, killSwitch);
            return await RunConclusion.ConcludeAsync(report, ProgramVersion.Text, endpoint, console, signals, clock, killSwitch);
        }
        catch (MessagingException failure)
        {
            throw new ExitException(ExitCode.Dependency, failure.Message, failure);
        }
        catch (OperationCanceledException) when (signals.First.IsCancellationRequested)
        {
            await console.Error.WriteLineAsync("stopped before the first event was read");
            return ExitCode.Done;
        }
    }

    private static async Task<RunReport> ProcessAsync(
        ConsumerOptions options,
        MessagingSettings settings,
        EmbeddedServices? embedded,
        MetricRegistry registry,
        MetricsEndpoint? endpoint,
        CommandConsole console,
        StopSignals signals,
        TimeProvider clock,
        KillSwitch killSwitch
    )
    {
        RefuseNamesTooLong(settings.EventHubName);
        var startedUtc = clock.GetUtcNow();
        var faults = new RunFaults();
        using var stop = new RunStop(options.DrainLimit, clock);
        var clocks = new ClockWatch(options.OwnershipExpiry, console.Error.WriteLine);
        var clientOptions = new ClientOptions
        {
            Writes = RetryOptions.Once,
            TimeProvider = clock,
            Observer = killSwitch.ObserverOf(settings),
            StorageClockRead = clocks.Note,
        };
        if (options.Clients.Describe is { } describe)
        {
            await console.Error.WriteLineAsync($"clients: {describe(clientOptions)}");
        }

        await using var clients = options.Clients.Connect(settings, clientOptions);
        await using var sender = clients.CreateMessageSender(settings.MessageEntity!);
        var blobs = new BlobSink(clients.GetBlobContainer(settings.ArchiveContainer), settings.EventHubName);
        var backlog = await Backlog.ReadAsync(clients, clock, options.AcceptGap, signals.First);
        Descriptors.EnsureEnough(options.Degree, backlog.Partitions.Count);

        await console.Error.WriteLineAsync(Announcement.Of(options.Identifier, backlog.Events, backlog.Partitions.Count));

        using var measurement = new RunMeasurement(clock, embedded?.Process);
        measurement.WarmUpFor(options.Batch, options.Follow ? null : backlog.Events);
        var metrics = new ConsumerMetrics(registry, LabelsOf(options), backlog.Partitions.Count, measurement, clock);
        metrics.WatchRedelivered(() => blobs.Repeated);
        foreach (var partition in backlog.Partitions)
        {
            metrics.ForPartition(partition.PartitionId).Lag.Set(partition.Left);
        }

        var blocked = new BlockedEvents(console.Error.WriteLine, clock);
        metrics.WatchBlocked(() => blocked.Count);
        var retry = new RetryRule { Limit = options.RetryLimit, Jitter = Random.Shared.NextDouble };
        var pumps = new PumpFactory
        {
            Strategy = options.Strategy,
            Degree = options.Degree,
            Sinks = [new ServiceBusSink(sender, settings.EventHubName), blobs],
            Checkpoints = options.Checkpoints,
            Limits = options.Limits,
            Retry = retry,
            Poison = new PoisonRule
            {
                Policy = options.OnPoison,
                Blocked = blocked,
                DeadLetters = new DeadLetterStore(clients.GetBlobContainer(settings.DeadLetterContainer), settings.EventHubName),
            },
            Measurement = measurement,
            Metrics = metrics,
            Faults = faults,
            Stop = stop,
            TimeProvider = clock,
            KillSwitch = killSwitch,
            Confirmed = (partition, position) => metrics.ForPartition(partition).Lag.Set(backlog.Confirm(partition, position.SequenceNumber)),
        };
        signals.DescribeReplay = pumps.DescribeReplay;
        var processor = clients.CreateProcessor(ProcessorOptionsOf(options, faults, clock), pumps.Open);

        var prediction = PredictionOf(options);
        var subject = new ProgressSubject(options.Strategy.Name, options.Follow ? null : backlog.Events, prediction?.EventsPerSecond);
        var view = new ProgressView(subject, measurement, console.Error, IsTerminal(console), clock);
        var liveness = new LivenessWatch(pumps.ReadProgress, blocked, faults, StandstillLimitOf(options, retry), clock);
        List<Func<CancellationToken, Task>> beside = [view.RunAsync, liveness.RunAsync];
        if (embedded is not null)
        {
            beside.Add(token => embedded.WatchAsync(faults, stop, token));
        }

        var end = await RunBesideAsync(
            new ConsumerRun(processor, stop, faults),
            options.Follow ? FollowAsync : token => backlog.WaitAsync(() => processor.OwnedPartitions, token),
            beside,
            endpoint,
            signals
        );

        var figures = measurement.Finish() with { SenderCpu = embedded?.Sender?.Cpu, SenderEvents = options.Embedded?.Events };
        IReadOnlyList<InjectedLatency> latencies = [];
        if (embedded is not null)
        {
            latencies = await embedded.ReadLatenciesAsync(CancellationToken.None);
            await embedded.EndAsync();
        }

        var judgement = embedded is null
            ? RunJudging.Judge(options, settings, GivenSources(options), options.RunIsNamed, finished: end == RunEnd.Drained)
            : RunJudging.Judge(options, settings, (embedded.Ledger, embedded.Journal), named: true, finished: end == RunEnd.Drained);
        metrics.SetVerdict(judgement.Word);
        return new RunReport
        {
            Options = options,
            StartedUtc = startedUtc,
            Figures = figures,
            End = end,
            Faults = faults.All,
            Judgement = judgement,
            Partitions = backlog.Partitions.Count,
            Backlog = options.Follow ? null : backlog.Events,
            RepeatedBlobs = blobs.Repeated,
            BlockedEvents = blocked.Ever,
            Prediction = prediction,
            Latencies = latencies,
        };
    }

    // The longest that anything may rightly take: all tries of a write three times over, a change of owner, a checkpoint that is not due.
    private static TimeSpan StandstillLimitOf(ConsumerOptions options, RetryRule retry) =>
        (3 * retry.OperationLimit) + options.OwnershipExpiry + options.BalancingInterval + (options.Checkpoints.Interval ?? TimeSpan.Zero);

    // The run itself, with what goes on beside it: the view, the watches over progress and emulator.
    private static async Task<RunEnd> RunBesideAsync(
        ConsumerRun run,
        Func<CancellationToken, Task> drained,
        IReadOnlyList<Func<CancellationToken, Task>> beside,
        MetricsEndpoint? endpoint,
        StopSignals signals
    )
    {
        using var over = new CancellationTokenSource();
        using var draining = signals.First.Register(() => endpoint?.MarkDraining());
        var others = Task.WhenAll(beside.Select(start => start(over.Token)));
        try
        {
            return await run.RunAsync(drained, signals.First);
        }
        finally
        {
            await over.CancelAsync();
            await others;
        }
    }

    private static async Task<MetricsEndpoint?> ServeMetricsAsync(
        MetricsOptions? options,
        MetricRegistry registry,
        CommandConsole console,
        CancellationToken cancellationToken
    )
    {
        if (options is null)
        {
            return null;
        }

        if (!System.Net.IPAddress.IsLoopback(options.Address))
        {
            await console.Error.WriteLineAsync($"warning: --metrics-host {options.Address}: metrics can be read from other machines");
        }

        var endpoint = await MetricsEndpoint.StartAsync(
            BuildOffer.Current.MetricsText(registry),
            new MetricsEndpointOptions(options.Address, options.Port),
            cancellationToken
        );
        await console.Error.WriteLineAsync($"metrics: {endpoint.Address}metrics");
        return endpoint;
    }

    private static (string Ledger, string Journal)? GivenSources(ConsumerOptions options) =>
        options is { Ledger: { } ledger, Journal: { } journal } ? (ledger, journal) : null;

    private static Prediction? PredictionOf(ConsumerOptions options) =>
        options.Embedded is { Profile: "article", Partitions: 1 } && options.Checkpoints.EachBatch
            ? ArticleModel.Predict(options.Strategy.Name, options.Batch, options.Degree, options.Prefetch)
            : null;

    private static EventHubProcessorOptions ProcessorOptionsOf(ConsumerOptions options, RunFaults faults, TimeProvider clock) =>
        new()
        {
            Identifier = options.Identifier,
            BatchSize = options.Batch,
            Prefetch = options.Prefetch,
            BalancingInterval = options.BalancingInterval,
            OwnershipExpiry = options.OwnershipExpiry,
            Balancing = options.Balancing,
            Fencing = options.Fencing,

            // Reported at once: it starts the drain limit, without which closing partitions might wait for ever.
            Failing = failure =>
            {
                if (failure is MessagingException known)
                {
                    faults.Report(ExitCode.Dependency, known.Message, known);
                }
            },
            TimeProvider = clock,
        };

    private static RunLabels LabelsOf(ConsumerOptions options) =>
        new()
        {
            Run = options.Run,
            Strategy = options.Strategy.Name,
            Degree = options.Degree,
            Batch = options.Batch,
            Clients = options.Clients.Name,
            Version = ProgramVersion.Text,
        };

    // Found at the first event otherwise, long after the start.
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

    private static bool IsTerminal(CommandConsole console) => ReferenceEquals(console.Error, Console.Error) && !Console.IsErrorRedirected;
}
