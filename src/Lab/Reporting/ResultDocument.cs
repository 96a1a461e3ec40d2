using System.Runtime;
using System.Runtime.InteropServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>Builds the result of a run, or of a verification.</summary>
internal static class ResultDocument
{
    private const int Schema = 1;

    public static RunResult Of(RunReport report, string version)
    {
        var (options, figures) = (report.Options, report.Figures);
        var windows = MeasuredWindows.Of(figures);
        var settled = MeasuredWindows.AreSettled(figures, options.Processing.Strategy.IsBarrier, windows);
        var generated = options.Load is { Input: null } load ? load : null;
        return new RunResult
        {
            Run = new RunHeader
            {
                Schema = Schema,
                Id = options.Run,
                StartedUtc = report.StartedUtc,
                Kind = ResultKind.Capacity,
                Command = CommandText.Of(options.Arguments),
                Options = RunDocument.GetObject(options),
                End = report.End,
                ExitCode = report.Code,
                Faults = [.. report.Faults.Select(fault => fault.Message)],
            },
            Program = DescribeProgram(version, options.Clients),
            Machine = Machine(),
            Strategy = Strategy(report),
            Input = new InputDetails
            {
                Partitions = report.Partitions,
                Events = options.Load?.KnownEvents ?? report.Backlog,
                File = options.Load?.Input is { } file ? Path.GetFileName(file) : null,
                KeyField = options.Load?.KeyField,
                BodyBytes = generated?.Size.Mean,
                BodyBytesMin = generated?.Size.Least,
                BodyBytesMax = generated?.Size.Most,
                BodySizes = generated?.Size.Text,
                Rate = options.Load?.Rate,
                Keys = generated?.Keys,
                KeySkew = generated is { Keys: > 0 } ? generated.KeySkew : null,
                BacklogAtStart = report.Backlog,
                BacklogLeft = report.Backlog - figures.Completed - figures.DeadLettered is { } left ? Math.Max(0, left) : null,
            },
            Profile = new ProfileDetails
            {
                Name = options.Profile,
                Sha256 = options.Profile is { } profile ? ProfileHash.Of(profile) : null,
                Faults = options.Load?.Faults?.Split(','),
                Latencies = report.Latencies,
            },
            Time = new TimeFigures
            {
                ClaimS = figures.Claim?.TotalSeconds,
                WarmupS = figures.WarmUp?.TotalSeconds,
                MeasuredS = figures.EventsPerSecond is null ? null : figures.Measured.TotalSeconds,
                EndedEarly = options.Measuring?.HopelessBelow is null ? null : figures.IsHopeless,
                DrainS = figures.Drain?.TotalSeconds,
                Settled = settled,
                Windows = windows,
                TailS = figures.Tail?.Time.TotalSeconds,
            },
            Throughput = new ThroughputFigures
            {
                Events = figures.Section.Completed,
                EventsPerS = figures.EventsPerSecond,
                WindowCv = MeasuredWindows.GetVariation(windows),
                FirstToLastMinuteDrift = MeasuredWindows.GetDrift(windows),
                MbPerS = ThroughputFigures.GetMegabytes(figures.EventsPerSecond, generated?.Size.Mean),
                TailEvents = figures.Tail?.Events,
            },
            Stages = figures.Section.Stages.All.ToDictionary(
                stage => stage.Name,
                stage =>
                    StageFigures.WithHistogram(figures.Section[stage], figures.Measured) with
                    {
                        LittleError = stage == Stage.Event ? report.Little?.Error : null,
                    },
                StringComparer.Ordinal
            ),
            Sample = figures.Sample,
            Errors = new ErrorCounts
            {
                Retries = figures.Retries,
                Sinks = figures.Sinks.ToDictionary(
                    static sink => sink.Sink,
                    static sink => new SinkErrors
                    {
                        Retries = sink.Tally.Retries,
                        Throttles = sink.Tally.Throttles,
                        Timeouts = sink.Tally.Timeouts,
                        Unconnected = sink.Tally.Unconnected,
                        Failed = sink.Tally.Failed,
                        Ambiguous = sink.Tally.Cut,
                    },
                    StringComparer.Ordinal
                ),
                RepeatedBlobs = report.RepeatedBlobs,
                DeadLettered = figures.DeadLettered,
                BlockedEvents = report.BlockedEvents,
                LateCompletions = figures.LateCompletions,
            },
            Resources = Resources(figures),
            Safety = VerdictDocument.Of(report.VerdictReport),
            ReadBack = report.ReadBack is { } readBack ? VerdictDocument.Of(readBack, ReadBackFields.Unknown) : null,
            Model = report.Prediction is { } prediction
                ? new ModelComparison
                {
                    Form = prediction.Form,
                    PredictedEventsPerS = prediction.EventsPerSecond,
                    MeasuredToPredicted = report.Comparable ? figures.EventsPerSecond / prediction.EventsPerSecond : null,
                }
                : null,
            Bounds = new BoundDetails
            {
                EmulatorCeilingEventsPerS = report.EmulatorCeiling,
                Bound = report.Bound,
                Status =
                    figures.EventsPerSecond is null ? MeasurementStatus.NotSettled
                    : report.Latencies.Any(latency => latency.IsMissed) ? MeasurementStatus.ProfileMissed
                    : options.Measuring?.Length is not null && settled == false ? MeasurementStatus.NotSettled
                    : MeasurementStatus.Ok,
            },
        };
    }

    /// <summary>The verdict alone, where it was computed without a run.</summary>
    public static VerificationResult OfVerification(string? run, int code, SafetyFigures safety, string version) =>
        new()
        {
            Run = new VerificationHeader
            {
                Schema = Schema,
                Id = run,
                Kind = ResultKind.Verification,
                ExitCode = code,
            },
            Program = DescribeProgram(version, ClientFamily.BuiltIn),
            Safety = safety,
        };

    // The build appends its commit.
    public static ProgramDetails DescribeProgram(string version, ClientFamily clients)
    {
        var parts = version.Split('+', 2);
        return new ProgramDetails
        {
            Version = parts[0],
            Commit = parts.ElementAtOrDefault(1),
            Dirty = BuildFacts.Dirty,
            PackageLockSha256 = BuildFacts.PackageLockSha256,
            Clients = clients.Name,
            Packages = clients.Packages,
        };
    }

    public static MachineDetails Machine()
    {
        ThreadPool.GetMinThreads(out var threads, out _);
        return new MachineDetails
        {
            Os = RuntimeInformation.OSDescription,
            CpuModel = MachineFacts.CpuModel(),
            LoadAverage = MachineFacts.LoadAverage(),
            CoresPhysical = MachineFacts.CoresPhysical(),
            CoresAllowed = MachineFacts.CoresAllowed(),
            LimitMethod = MachineFacts.Limit(),
            ProcessorCountSeen = Environment.ProcessorCount,
            MemoryBytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
            HeapHardLimitBytes = MachineFacts.OfCollector("GCHeapHardLimit") is > 0 and var limit ? limit : null,
            GcDynamicAdaptation = MachineFacts.OfCollector("GCDynamicAdaptationMode"),
            ThreadPoolMin = threads,
            Runtime = RuntimeInformation.FrameworkDescription,
            GcServer = GCSettings.IsServerGC,
            TieredPgo = AppContext.TryGetSwitch("System.Runtime.TieredPGO", out var pgo) ? pgo : null,
            GcConcurrent = GCSettings.LatencyMode != GCLatencyMode.Batch,
            TimerResolutionNs = 1_000_000_000 / Math.Max(1, TimeProvider.System.TimestampFrequency),
        };
    }

    private static StrategyDetails Strategy(RunReport report)
    {
        var (options, section) = (report.Options, report.Figures.Section);
        return new StrategyDetails
        {
            Name = options.Processing.Strategy.Name,
            Assembly =
                options.StrategyAssembly is { } assembly && !StrategyCatalog.All.Contains(options.Processing.Strategy) ? AssemblyDetails.Of(assembly) : null,
            Unsafe = options.Processing.Strategy.Unsafe?.Why,
            CountedBreaches = options.Processing.Strategy.IsUnsafe ? report.CountedBreaches : null,
            Options = options.StrategyOptionsInForce,
            Degree = options.Processing.MaxConcurrencyInForce,
            DegreeReached = new DegreeReached { Mean = report.MeanDegree, Max = section.DegreeReached },
            KeysInFlight = report.Figures.MeanKeysInFlight,
            DegreesInForce = report.Figures.Degrees is { Count: > 0 } degrees
                ?
                [
                    .. degrees.Select(static change => new DegreeInForce
                    {
                        AtS = change.At.TotalSeconds,
                        Partition = change.Partition,
                        Degree = change.Degree,
                    }),
                ]
                : null,
            BatchMax = options.Processing.BatchSize,
            WorkCpuUs = options.Work.Cpu.TotalMicroseconds,
            WorkBlockMs = options.Work.Block.TotalMilliseconds,
            BatchSizes = section.BatchSizes,
            Prefetch = options.Processing.Prefetch,
            CheckpointEvents = options.CheckpointsInForce.Events,
            CheckpointIntervalMs = options.CheckpointsInForce.Interval?.TotalMilliseconds,
            OnPoison = options.Processing.Strategy.IsUnsafe ? null : options.Processing.OnPoison,
            Window = options.Processing.Limits.Window,
            ReplayLimit = options.Processing.Limits.Replay,
        };
    }

    private static ResourceFigures Resources(RunFigures figures) =>
        new()
        {
            Consumer = new ConsumerResources
            {
                CpuS = figures.ConsumerCpu?.TotalSeconds,
                CpuUsPerEvent = figures.ConsumerCpuMicrosecondsPerEvent,
                PeakRssBytes = figures.ConsumerPeakBytes,
                MeanRssBytes = figures.Memory.Consumer,
                AllocatedBytesPerEvent = figures.AllocatedBytesPerEvent,
                GcCount = [figures.Runtime.Gen0, figures.Runtime.Gen1, figures.Runtime.Gen2],
                GcPauseMs = figures.Runtime.GcPause.TotalMilliseconds,
                GcPauseMaxMs = figures.LongestGcPause?.TotalMilliseconds,
                CpuPercentPerCore = PercentPerCore(figures.ConsumerCpu, figures.Measured),
                Threads = figures.ThreadPool is { } pool ? new ThreadFigures { Mean = pool.MeanThreads, Max = pool.MostThreads } : null,
                ThreadPoolQueueMax = figures.ThreadPool?.LongestQueue,
                ThreadPoolQueueP99 = figures.ThreadPool?.QueueP99,
                Handles = figures.Handles,
                LockContentions = figures.Runtime.LockContentions,
            },
            Emulator = new EmulatorResources
            {
                CpuS = figures.EmulatorCpu?.TotalSeconds,
                CpuUsPerEvent = figures.EmulatorCpuMicrosecondsPerEvent,
                CpuPercentPerCore = PercentPerCore(figures.EmulatorCpu, figures.Measured),
                PeakRssBytes = figures.EmulatorPeakBytes,
                MeanRssBytes = figures.Memory.Emulator,
            },
            Sender = new SenderResources
            {
                CpuS = figures.Sender?.Cpu.TotalSeconds,
                CpuPercentPerCore = figures.Sender is { Lived: { } lived } sender ? PercentPerCore(sender.Cpu, lived) : null,
                PeakRssBytes = figures.Sender?.PeakMemoryBytes,
            },
        };

    private static double? PercentPerCore(TimeSpan? used, TimeSpan time) =>
        used is { } known && time > TimeSpan.Zero ? 100 * (known / time) / Environment.ProcessorCount : null;
}
