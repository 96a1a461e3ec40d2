using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>An event that holds a place; used under its owner's lock.</summary>
internal sealed class EventInFlight(ReceivedEvent receivedEvent, int sinks)
{
    public ReceivedEvent Event => receivedEvent;

    public int SinksLeft { get; set; } = sinks;
}

/// <summary>Events for one operation of a sink.</summary>
internal sealed class CollectedBatch(CollectingSink sink, IReadOnlyList<EventInFlight> events)
{
    private bool answered;

    public CollectingSink Sink => sink;

    public IReadOnlyList<EventInFlight> Events => events;

    /// <summary>Some of its events have ended: an operation is under way no longer. What is tried again holds nothing back.</summary>
    public void Answered()
    {
        if (!answered)
        {
            answered = true;
            sink.UnderWay--;
        }
    }
}

/// <summary>Collects events for the next operation of a sink and says when it is to be sent. Used under its owner's lock, but for starting an operation.</summary>
internal sealed class CollectingSink(ITrackedSink sink, StrategyContext context) : IAsyncDisposable
{
    private readonly List<EventInFlight> collected = [];
    private readonly TimeSpan linger = TimeSpan.FromMilliseconds(context.Options[BatchedStrategy.Linger.Name]);

    // Of what one operation can have: so two of them can alternate, and the sink does not wait for the slowest event in flight.
    private readonly int enough = Math.Max(1, Math.Min(sink.LargestBatch, context.Degree) / 2);
    private ITimer? timer;
    private bool lingers;
    private bool isOver;

    /// <summary>Operations without an answer.</summary>
    public int UnderWay { get; set; }

    public void Add(EventInFlight one) => collected.Add(one);

    public void Clear() => collected.Clear();

    /// <summary>Takes what is to be sent now, if anything is.</summary>
    public void Take(bool nothingComes, List<CollectedBatch> sent)
    {
        if (!nothingComes && !isOver && UnderWay > 0 && linger > TimeSpan.Zero && collected.Count < enough)
        {
            return;
        }

        foreach (var events in collected.Chunk(sink.LargestBatch))
        {
            sent.Add(new CollectedBatch(this, events));
            UnderWay++;
        }

        collected.Clear();
        isOver = false;
    }

    /// <summary>Lets the time run for what has just begun to be collected, and none for nothing.</summary>
    /// <param name="over">Called when the time is over, by the scheduler of the caller.</param>
    public void LingerUnlessSent(Action<CollectingSink> over)
    {
        if (lingers == collected.Count > 0)
        {
            return;
        }

        lingers = !lingers;
        timer ??= CreateTimer(over);
        timer.Change(lingers ? linger : Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The time is over; one that comes too late means nothing.</summary>
    public void LingerIsOver() => isOver = collected.Count > 0;

    /// <summary>Starts an operation.</summary>
    public IReadOnlyList<Task<WriteOutcome>> Start(CollectedBatch batch, CancellationToken cancellationToken) =>
        sink.StartBatch([.. batch.Events.Select(static one => one.Event)], cancellationToken);

    public ValueTask DisposeAsync() => timer?.DisposeAsync() ?? ValueTask.CompletedTask;

    private ITimer CreateTimer(Action<CollectingSink> over)
    {
        var scheduler = TaskScheduler.Current;
        return context.TimeProvider.CreateTimer(
            _ => _ = Task.Factory.StartNew(() => over(this), CancellationToken.None, TaskCreationOptions.None, scheduler),
            null,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan
        );
    }
}
