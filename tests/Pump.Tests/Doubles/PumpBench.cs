using System.Diagnostics.CodeAnalysis;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>A pump with everything real but strategy, sinks, checkpoint store and clock.</summary>
[SuppressMessage("Performance", "CA1852:Seal internal types", Justification = "The tests of the consumer derive from it.")]
internal class PumpBench : IDisposable
{
    private readonly TaskCompletionSource blocked = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public PumpBench()
    {
        Blocked = new BlockedEvents(
            line =>
            {
                BlockedLines.Add(line);
                blocked.TrySetResult();
            },
            Clock
        );
        Stop = new ProcessingStop(TimeSpan.FromSeconds(10), Clock);
    }

    public VirtualClock Clock { get; } = new();

    public ScriptedSink ServiceBus { get; } = new("servicebus");

    /// <summary>What takes the place of the sink for messages, if anything does.</summary>
    public ISink<EventSlot>? Messages { get; init; }

    public ScriptedSink Blob { get; } = new("blob");

    public ScriptedCheckpoints Checkpoints { get; } = new();

    public ProcessingFaults Faults { get; init; } = new();

    public ProcessingStop Stop { get; }

    public int Degree { get; init; } = 16;

    public OrderingGuarantee Ordering { get; init; } = OrderingGuarantee.None;

    public bool IsBarrier { get; init; } = true;

    public DispatchLimits Limits { get; init; } = new() { Window = 10_000, Replay = 10_000 };

    public PoisonPolicy OnPoison { get; init; } = PoisonPolicy.Stop;

    public DeadLetterLog DeadLetters { get; } = new();

    public BlockedEvents Blocked { get; }

    /// <summary>Completes when the first event is blocked.</summary>
    public Task UntilBlocked => blocked.Task;

    /// <summary>The lines about blocked events.</summary>
    public Recorded<string> BlockedLines { get; } = [];

    /// <summary>What was reported to the observers of the ownerships.</summary>
    public PumpCounts Counts { get; } = new();

    /// <summary>An observer beside the counts.</summary>
    public PartitionObserver? FurtherObserver { get; init; }

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
            MaxConcurrency = Degree,
            Sinks = [Messages ?? ServiceBus, Blob],
            Checkpoints = Options,
            Limits = Limits,
            Retry = new RetryRule { Limit = 5, Jitter = () => 1 },
            Poison = new PoisonRule
            {
                Policy = OnPoison,
                Blocked = Blocked,
                Store = DeadLetters.StoreAsync,
            },
            Observers = ObserversOf,
            Faults = Faults,
            Stop = Stop,
            TimeProvider = Clock,
        }.Open(Checkpoints);

    /// <summary>Advances the clock from timer to timer until the task has ended.</summary>
    public Task RunAsync(Task task, CancellationToken cancellationToken) => Clock.AdvanceUntilEndedAsync(task, cancellationToken);

    public virtual void Dispose()
    {
        Stop.Dispose();
        Checkpoints.Dispose();
    }

    /// <summary>Makes the observers of an ownership.</summary>
    protected virtual IEnumerable<PartitionObserver> ObserversOf(string partition) => FurtherObserver is null ? [Counts] : [Counts, FurtherObserver];
}
