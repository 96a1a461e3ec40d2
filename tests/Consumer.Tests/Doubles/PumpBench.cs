using System.Text;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Running;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Checkpointing;
using EventHubThroughput.Processing.Faults;
using EventHubThroughput.Processing.Lifetime;
using EventHubThroughput.Processing.Retrying;
using EventHubThroughput.Processing.Sessions;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Processing.Tracking;
using EventHubThroughput.Processing.Writing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Doubles;

/// <summary>A pump with everything real but strategy, sinks, checkpoint store and clock.</summary>
internal sealed class PumpBench : IDisposable
{
    private readonly RunMeasurement measurement;
    private readonly TaskCompletionSource blocked = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public PumpBench()
    {
        measurement = new RunMeasurement(Clock, emulator: null, TwoSinks.Stages);
        Blocked = new BlockedEvents(
            line =>
            {
                Said.Add(line);
                blocked.TrySetResult();
            },
            Clock
        );
        Stop = new ProcessingStop(TimeSpan.FromSeconds(10), Clock);
        Metrics = new ConsumerMetrics(
            Registry,
            new RunOptions
            {
                Run = "run",
                Processing = new ProcessingOptions { Strategy = StrategyCatalog.Find("combined") with { Name = "x" } },
            },
            version: "1",
            1,
            measurement,
            Clock
        );
    }

    public VirtualClock Clock { get; } = new();

    public MetricRegistry Registry { get; } = new();

    public ScriptedSink ServiceBus { get; } = new("servicebus");

    /// <summary>What takes the place of the sink for messages, if anything does.</summary>
    public ISink? Messages { get; init; }

    public ScriptedSink Blob { get; } = new("blob");

    public ScriptedCheckpoints Checkpoints { get; } = new();

    public ProcessingFaults Faults { get; init; } = new();

    public ProcessingStop Stop { get; }

    public ConsumerMetrics Metrics { get; }

    public int Degree { get; init; } = 16;

    public OrderingGuarantee Ordering { get; init; } = OrderingGuarantee.None;

    public bool IsBarrier { get; init; } = true;

    public DispatchLimits Limits { get; init; } = new() { Window = 10_000, Replay = 10_000 };

    public PoisonPolicy OnPoison { get; init; } = PoisonPolicy.Stop;

    public KillSwitch KillSwitch { get; init; } = KillSwitch.Off;

    public MemoryBlobs DeadLetters { get; } = new("deadletters");

    public BlockedEvents Blocked { get; }

    /// <summary>Completes when the first event is blocked.</summary>
    public Task UntilBlocked => blocked.Task;

    /// <summary>The lines about blocked events.</summary>
    public List<string> Said { get; } = [];

    public RunFigures Figures => measurement.Finish();

    public CheckpointOptions Options { get; init; } = new();

    public PartitionSession Open(Func<StrategyContext, IProcessingStrategy> strategy) => Open(strategy, IsBarrier);

    public PartitionSession Open(string strategy)
    {
        var known = StrategyCatalog.Find(strategy);
        return Open(known.Create, known.IsBarrier, known.Unsafe);
    }

    private PartitionSession Open(Func<StrategyContext, IProcessingStrategy> strategy, bool isBarrier, UnsafePractice? practice = null) =>
        new SessionFactory
        {
            Strategy = new StrategyDescriptor("x", "A strategy under test.", Ordering, strategy, isBarrier) { Unsafe = practice },
            Degree = Degree,
            Sinks = [Messages ?? ServiceBus, Blob],
            Checkpoints = Options,
            Limits = Limits,
            Retry = new RetryRule { Limit = 5, Jitter = () => 1 },
            Poison = new PoisonRule
            {
                Policy = OnPoison,
                Blocked = Blocked,
                DeadLetters = new DeadLetterStore(DeadLetters, "hub"),
            },
            Observers = partition => [new PartitionMeters(partition, measurement, Metrics, Clock), .. KillSwitch.ObserversOf(["servicebus", "blob"])],
            Faults = Faults,
            Stop = Stop,
            TimeProvider = Clock,
        }.Open(Checkpoints);

    /// <summary>Advances the clock from timer to timer until the task has ended.</summary>
    public async Task RunAsync(Task task, CancellationToken cancellationToken)
    {
        while (!task.IsCompleted)
        {
            await Task.WhenAny(task, Clock.UntilTimerIsSetAsync(cancellationToken));
            if (!task.IsCompleted)
            {
                Clock.AdvanceToNextTimer();
            }
        }

        await task;
    }

    /// <summary>What Prometheus would read now.</summary>
    public async Task<string> ScrapeAsync() => Encoding.UTF8.GetString((await Registry.ScrapeAsync(TestContext.Current.CancellationToken)).Span);

    public void Dispose()
    {
        Stop.Dispose();
        measurement.Dispose();
        Checkpoints.Dispose();
    }
}
