using EventHubThroughput.Events;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Contract.Trials;

/// <summary>
/// One strategy on one partition, driven through its life as processing does, and everything that it did. For one thread only: that of the virtual time.
/// </summary>
internal sealed class Trial
{
    private readonly StrategyDescriptor descriptor;
    private readonly VirtualClock clock;
    private readonly List<RecordedWrite> log = [];
    private readonly List<(Exception Failure, TimeSpan At)> reported = [];

    // The missing writes of each event. Below the first of them all events are complete, as the window counts them.
    private readonly SortedDictionary<long, int> left = [];
    private readonly Lazy<IReadOnlyList<ITrackedSink>> sinks;
    private long handedOver;
    private long step;
    private long operations;
    private bool failed;
    private TaskCompletionSource? moved;

    /// <param name="descriptor">The strategy.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="sinks">Creates the sinks.</param>
    /// <param name="change">Changes the context of the strategy. <see cref="StrategyContext.MaxConcurrency"/> is 4 otherwise.</param>
    public Trial(
        StrategyDescriptor descriptor,
        VirtualClock clock,
        Func<Trial, IReadOnlyList<ITrackedSink>> sinks,
        Func<StrategyContext, StrategyContext>? change = null
    )
    {
        (this.descriptor, this.clock, this.sinks) = (descriptor, clock, new(() => sinks(this)));
        var context = new StrategyContext
        {
            Sinks = this.sinks.Value,
            MaxConcurrency = 4,
            Options = StrategyOptionValues.Of(descriptor.Options),
            TimeProvider = clock,
            ReportConcurrency = Reports.Add,
            ReportFailure = failure =>
            {
                reported.Add((failure, clock.Elapsed));
                Move();
            },
        };
        Context = change?.Invoke(context) ?? context;
        Strategy = descriptor.Create(Context);
    }

    public StrategyContext Context { get; }

    public IProcessingStrategy Strategy { get; }

    public IReadOnlyList<RecordedWrite> Log => log;

    /// <summary>The failures of background work that the strategy reported.</summary>
    public IReadOnlyList<(Exception Failure, TimeSpan At)> Reported => reported;

    /// <summary>The arguments of <see cref="StrategyContext.ReportConcurrency"/>.</summary>
    public List<int> Reports { get; } = [];

    public int InFlight => log.Count(write => write.EndedStep is null);

    public static TrialSink Taking(Trial trial, string name, TimeSpan latency) =>
        new(trial, name, (_, cancellationToken) => trial.clock.DelayAsync(latency, cancellationToken));

    /// <summary>Hands a batch over, in parts if the window of a strategy without a barrier has no room for the whole.</summary>
    public async Task DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        for (var next = 0; next < batch.Count; )
        {
            var count = descriptor.IsBarrier ? batch.Count : await RoomAsync(batch.Count - next, cancellationToken);
            if (count == 0)
            {
                return;
            }

            var part = batch.Skip(next).Take(count).ToList();
            foreach (var receivedEvent in part)
            {
                handedOver = receivedEvent.SequenceNumber + 1;
                if (Context.Sinks.Count > 0)
                {
                    left.Add(receivedEvent.SequenceNumber, Context.Sinks.Count);
                }
            }

            await Strategy.DispatchAsync(part, cancellationToken);
            next += count;
        }
    }

    /// <summary>A whole life: every batch, until a failure, then the drain and the disposal.</summary>
    public async Task<TrialEnd> LiveAsync(IEnumerable<IReadOnlyList<EventSlot>> batches, CancellationToken cancellationToken)
    {
        Exception? dispatching = null;
        Exception? draining = null;
        try
        {
            foreach (var batch in batches.TakeWhile(_ => reported.Count == 0))
            {
                await DispatchAsync(batch, cancellationToken);
            }
        }
        catch (Exception failure)
        {
            dispatching = failure;
        }

        var dispatched = clock.Elapsed;
        try
        {
            await Strategy.DrainAsync(cancellationToken);
        }
        catch (Exception failure)
        {
            draining = failure;
        }

        var end = new TrialEnd(dispatching, draining, InFlight, clock.Elapsed, clock.Elapsed - dispatched);
        await Strategy.DisposeAsync();
        return end;
    }

    /// <summary>All failures, however they were reported.</summary>
    public IEnumerable<Exception> Surfaced(TrialEnd end) =>
        ((Exception?[])[end.Dispatching, end.Draining, .. reported.Select(one => one.Failure)]).OfType<Exception>().SelectMany(Flat);

    /// <summary>A number for one operation of a sink.</summary>
    public long NextOperation() => operations++;

    public RecordedWrite Begin(string sink, EventSlot receivedEvent, long operation)
    {
        var record = new RecordedWrite(sink, receivedEvent, operation, step++, clock.Elapsed);
        log.Add(record);
        return record;
    }

    public void End(RecordedWrite record, bool acknowledged)
    {
        (record.EndedStep, record.Ended, record.Acknowledged) = (step++, clock.Elapsed, acknowledged);
        if (acknowledged && left.TryGetValue(record.Sequence, out var lacking))
        {
            if (lacking == 1)
            {
                left.Remove(record.Sequence);
            }
            else
            {
                left[record.Sequence] = lacking - 1;
            }
        }

        failed |= !acknowledged;
        Move();
    }

    private static IEnumerable<Exception> Flat(Exception failure) => failure is AggregateException several ? several.Flatten().InnerExceptions : [failure];

    // Waits for room in the window. None after a failure, because nothing would make room any more.
    private async Task<int> RoomAsync(int wanted, CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var outstanding = left.Count == 0 ? 0 : handedOver - left.First().Key;
            if (outstanding < Context.Window)
            {
                return (int)Math.Min(wanted, Context.Window - outstanding);
            }

            if (failed || reported.Count > 0)
            {
                return 0;
            }

            moved = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            using var cut = cancellationToken.Register(Move);
            await moved.Task;
        }
    }

    private void Move() => moved?.TrySetResult();
}

/// <summary>How a life ended.</summary>
/// <param name="Dispatching">The exception of a dispatch.</param>
/// <param name="Draining">The exception of the drain.</param>
/// <param name="LeftInFlight">Writes that were in flight when the drain had ended.</param>
/// <param name="At">When the drain had ended.</param>
/// <param name="Drained">How long the drain took.</param>
internal sealed record TrialEnd(Exception? Dispatching, Exception? Draining, int LeftInFlight, TimeSpan At, TimeSpan Drained);
