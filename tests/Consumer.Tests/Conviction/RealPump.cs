using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Consumer.Tests.Conviction.Recording;
using EventHubThroughput.Metrics;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Consumer.Tests.Conviction;

/// <summary>One incarnation of the consumer's own pump, with everything real but the services and the clock.</summary>
internal sealed class RealPump : IDisposable
{
    // Figures and series belong to a process, not to a schedule; nothing here reads them.
    private static readonly RunMeasurement Measurement = new(new VirtualClock(), emulator: null);
    private static readonly RunLabels Labels = new()
    {
        Run = "run",
        Strategy = "x",
        Degree = 16,
        Batch = 10,
        Version = "1",
    };
    private static readonly ConsumerMetrics Metrics = new(new MetricRegistry("schedules"), Labels, 1, Measurement, new VirtualClock());

    private readonly PartitionPump pump;

    public RealPump(
        RecordedProcess process,
        Func<StrategyContext, IProcessingStrategy> strategy,
        int degree = 16,
        CheckpointOptions? checkpoints = null,
        PoisonRule? poison = null,
        DispatchLimits? limits = null,
        bool fenced = true
    )
    {
        var schedule = process.Services.Schedule;
        Ownership = process.Take(fenced);
        Stop = new RunStop(TimeSpan.FromSeconds(10), schedule.Clock);
        pump = new PumpFactory
        {
            Strategy = new StrategyDescriptor("x", "A strategy under test.", OrderingGuarantee.None, strategy),
            Degree = degree,
            Sinks = NaivePump.SinksOf(process),
            Checkpoints = checkpoints ?? new CheckpointOptions(),
            Retry = new RetryRule { Jitter = schedule.Random.NextDouble },
            Poison = poison ?? new PoisonRule { Policy = PoisonPolicy.Stop, Blocked = new BlockedEvents(_ => { }, schedule.Clock) },
            Limits = limits ?? new DispatchLimits { Window = int.MaxValue, Replay = long.MaxValue },
            Measurement = Measurement,
            Metrics = Metrics,
            Faults = Faults,
            Stop = Stop,
            TimeProvider = schedule.Clock,
            Confirmed = (_, position) => Confirmed.Add(position.SequenceNumber),
        }.Open(Ownership);
    }

    public RecordedOwnership Ownership { get; }

    public RunStop Stop { get; }

    public RunFaults Faults { get; } = new();

    /// <summary>The position it began with, if any, and those that it knows to be stored.</summary>
    public List<long> Confirmed { get; } = [];

    /// <summary>The texts of the faults that ended it.</summary>
    public IEnumerable<string> Errors => Faults.All.Select(fault => fault.Message);

    /// <summary>Processes batch after batch until the end of the partition, a stop, a loss or a fault, then closes, as the processor does.</summary>
    public async Task RunAsync(int batch)
    {
        try
        {
            foreach (var delivered in Ownership.Batches(batch))
            {
                await pump.ProcessAsync(delivered, Stop.Requested);
                if (Stop.Requested.IsCancellationRequested || Ownership.IsLost)
                {
                    break;
                }
            }
        }
        catch (Exception) when (Faults.All.Count > 0)
        {
            await Stop.RequestAsync();
        }

        await pump.CloseAsync(Ownership.IsLost ? PartitionStopReason.OwnershipLost : PartitionStopReason.Shutdown, CancellationToken.None);
    }

    public void Dispose()
    {
        Ownership.Dispose();
        Stop.Dispose();
    }
}
