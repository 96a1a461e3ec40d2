using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>One incarnation of the consumer's own pump, with everything real but the services and the clock.</summary>
internal sealed class RealPump : IDisposable
{
    private readonly PartitionSession pump;

    public RealPump(
        RecordedProcess process,
        Func<StrategyContext, IProcessingStrategy> strategy,
        int degree = 16,
        CheckpointOptions? checkpoints = null,
        PoisonRule? poison = null,
        DispatchLimits? limits = null,
        bool fenced = true,
        StrategyDescriptor? declared = null
    )
    {
        var schedule = process.Services.Schedule;
        Ownership = process.Take(fenced);
        Stop = new ProcessingStop(TimeSpan.FromSeconds(10), schedule.Clock);
        pump = new SessionFactory
        {
            Strategy = declared ?? new StrategyDescriptor("x", "A strategy under test.", OrderingGuarantee.None, strategy),
            MaxConcurrency = degree,
            Sinks = [.. NaivePump.GetSinks(process).Select(ReceivedEventSink.For)],
            Checkpoints = checkpoints ?? new CheckpointOptions(),
            Retry = new RetryRule { Jitter = schedule.Random.NextDouble },
            Poison = poison ?? new PoisonRule { Policy = PoisonPolicy.Stop, Blocked = new BlockedEvents(_ => { }, schedule.Clock) },
            Limits = limits ?? new DispatchLimits { Window = int.MaxValue, Replay = long.MaxValue },
            Observers = _ => [new Confirmations(Confirmed)],
            Faults = Faults,
            Stop = Stop,
            TimeProvider = schedule.Clock,
        }.Open(Ownership);
    }

    public RecordedOwnership Ownership { get; }

    public ProcessingStop Stop { get; }

    public ProcessingFaults Faults { get; } = new();

    /// <summary>The position it began with, if any, and those that are stored according to it.</summary>
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
                await pump.ProcessAsync(delivered.Events, Stop.Requested);
                if (Faults.All.Count > 0)
                {
                    // Reported by a strategy that continues across batches, whose dispatches do not throw it.
                    await Stop.RequestAsync();
                }

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

    // The position it begins with, and those that are stored according to it.
    private sealed class Confirmations(List<long> confirmed) : PartitionObserver
    {
        public override void Opened(IPartitionLoad load, EventPosition? startedFrom)
        {
            if (startedFrom is { } position)
            {
                confirmed.Add(position.SequenceNumber);
            }
        }

        public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed) => confirmed.Add(position.SequenceNumber);
    }
}
