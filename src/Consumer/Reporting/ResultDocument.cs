using System.Runtime;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using EventHubThroughput.Clients;
using EventHubThroughput.Consumer.Measurement;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>The results of a run as JSON, schema 1. Missing is null, never 0; units are in the names; no secret is in it.</summary>
internal static class ResultDocument
{
    private const int Schema = 1;

    private static readonly JsonSerializerOptions Naming = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    public static JsonObject Of(RunReport report, string version)
    {
        var (options, figures) = (report.Options, report.Figures);
        return new JsonObject
        {
            ["run"] = Node(
                new
                {
                    Schema,
                    Id = options.Run,
                    report.StartedUtc,
                    Kind = "capacity",
                    End = report.End,
                    ExitCode = report.Code,
                    Faults = report.Faults.Select(fault => fault.Message),
                }
            ),
            ["program"] = Program(version, report.Options.Clients.Name),
            ["machine"] = Machine(),
            ["strategy"] = Node(
                new
                {
                    options.Strategy.Name,
                    options.Degree,
                    BatchMax = options.Batch,
                    BatchSizes = figures.Section.BatchSizes.ToDictionary(size => $"{size.Key}", size => size.Value, StringComparer.Ordinal),
                    options.Prefetch,
                    CheckpointEvents = options.Checkpoints.Events,
                    CheckpointIntervalMs = options.Checkpoints.Interval?.TotalMilliseconds,
                    options.OnPoison,
                    options.Limits.Window,
                    ReplayLimit = options.Limits.Replay,
                }
            ),
            ["input"] = Node(
                new
                {
                    report.Partitions,
                    Events = (long?)options.Embedded?.Events ?? report.Backlog,
                    BodyBytes = options.Embedded?.Size,
                    Keys = options.Embedded?.Keys,
                    BacklogAtStart = report.Backlog,
                    BacklogLeft = report.Backlog - figures.Completed - figures.DeadLettered is { } left ? Math.Max(0, left) : (long?)null,
                }
            ),
            ["profile"] = Node(new { Name = options.Embedded?.Profile, report.Latencies }),
            ["time"] = Node(
                new
                {
                    ClaimS = figures.Claim?.TotalSeconds,
                    WarmupS = figures.WarmUp?.TotalSeconds,
                    MeasuredS = figures.Measured.TotalSeconds,
                }
            ),
            ["throughput"] = Node(new { Events = figures.Section.Completed, EventsPerS = figures.EventsPerSecond }),
            ["stages"] = new JsonObject(
                Stages.All.Select(stage =>
                    KeyValuePair.Create<string, JsonNode?>(stage.Name(), Node(StageFigures.Of(figures.Section[stage], figures.Measured)))
                )
            ),
            ["errors"] = Node(
                new
                {
                    figures.Retries,
                    report.RepeatedBlobs,
                    figures.DeadLettered,
                    report.BlockedEvents,
                    figures.LateCompletions,
                }
            ),
            ["resources"] = Resources(figures),
            ["safety"] = VerdictDocument.Of(report.Judgement),
            ["model"] = report.Prediction is { } prediction
                ? Node(
                    new
                    {
                        prediction.Form,
                        PredictedEventsPerS = prediction.EventsPerSecond,
                        MeasuredToPredicted = report.Comparable ? figures.EventsPerSecond / prediction.EventsPerSecond : null,
                    }
                )
                : null,
            ["bounds"] = Node(
                new
                {
                    EmulatorCeilingEventsPerS = options.Embedded?.EmulatorCeiling,
                    report.Bound,
                    Status = figures.EventsPerSecond is null ? "not-settled"
                    : report.Latencies.Any(latency => latency.IsMissed) ? "profile-missed"
                    : "ok",
                }
            ),
        };
    }

    /// <summary>The verdict alone, where it was computed without a run.</summary>
    public static JsonObject OfVerification(string? run, int code, JsonObject safety, string version) =>
        new()
        {
            ["run"] = Node(
                new
                {
                    Schema,
                    Id = run,
                    Kind = "verification",
                    ExitCode = code,
                }
            ),
            ["program"] = Program(version, ClientFamily.BuiltIn.Name),
            ["safety"] = safety,
        };

    // The build appends the commit that it was made from.
    private static JsonNode Program(string version, string clients) =>
        version.Split('+', 2) is [var number, var commit]
            ? Node(
                new
                {
                    Version = number,
                    Commit = commit,
                    Clients = clients,
                }
            )
            : Node(
                new
                {
                    Version = version,
                    Commit = (string?)null,
                    Clients = clients,
                }
            );

    private static JsonNode Machine() =>
        Node(
            new
            {
                Os = RuntimeInformation.OSDescription,
                ProcessorCountSeen = Environment.ProcessorCount,
                MemoryBytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
                Runtime = RuntimeInformation.FrameworkDescription,
                GcServer = GCSettings.IsServerGC,
                TieredPgo = AppContext.TryGetSwitch("System.Runtime.TieredPGO", out var pgo) ? pgo : (bool?)null,
                GcConcurrent = GCSettings.LatencyMode != GCLatencyMode.Batch,
                TimerResolutionNs = 1_000_000_000 / Math.Max(1, TimeProvider.System.TimestampFrequency),
            }
        );

    private static JsonObject Resources(RunFigures figures) =>
        new()
        {
            ["consumer"] = Node(
                new
                {
                    CpuS = figures.ConsumerCpu?.TotalSeconds,
                    CpuUsPerEvent = figures.ConsumerCpuMicrosecondsPerEvent,
                    PeakRssBytes = figures.ConsumerPeakBytes,
                    figures.AllocatedBytesPerEvent,
                    GcCount = new[] { figures.Runtime.Gen0, figures.Runtime.Gen1, figures.Runtime.Gen2 },
                    GcPauseMs = figures.Runtime.GcPause.TotalMilliseconds,
                }
            ),
            ["emulator"] = Node(
                new
                {
                    CpuS = figures.EmulatorCpu?.TotalSeconds,
                    CpuUsPerEvent = figures.EmulatorCpuMicrosecondsPerEvent,
                    PeakRssBytes = figures.EmulatorPeakBytes,
                }
            ),
            ["sender"] = Node(new { CpuS = figures.SenderCpu?.TotalSeconds, CpuUsPerEvent = figures.SenderCpuMicrosecondsPerEvent }),
        };

    internal static JsonNode Node<T>(T value) => JsonSerializer.SerializeToNode(value, Naming)!;
}
