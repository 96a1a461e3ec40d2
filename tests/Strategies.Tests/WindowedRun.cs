using EventHubThroughput.Events;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>
/// A life of a strategy that continues across batches, within its window as processing keeps it: the newest event handed over less the low watermark.
/// For one thread only: that of the virtual-time runner.
/// </summary>
internal sealed class WindowedRun(VirtualClock clock, int degree, int window)
{
    private readonly SortedSet<long> open = [];
    private readonly Dictionary<long, int> left = [];
    private TaskCompletionSource? moved;

    /// <summary>Most events handed over and not passed by the low watermark.</summary>
    public long Widest { get; private set; }

    /// <summary>The failures that the strategy reported.</summary>
    public List<Exception> Failures { get; } = [];

    public async Task RunAsync(string name, IReadOnlyList<ITrackedSink> sinks, IReadOnlyList<EventSlot> events, int batch, CancellationToken cancellationToken)
    {
        var descriptor = StrategyCatalog.Find(name);
        var context = new StrategyContext
        {
            Options = StrategyOptionValues.Of(descriptor.Options),
            MaxConcurrency = degree,
            Window = window,
            Sinks = [.. sinks.Select(sink => new Plural(sink, Written))],
            Lifetime = cancellationToken,
            TimeProvider = clock,
            ReportFailure = Failures.Add,
        };
        await using var strategy = descriptor.Create(context);
        for (var next = 0; next < events.Count; )
        {
            var room = window - (open.Count == 0 ? 0 : events[next].SequenceNumber - open.Min);
            if (room <= 0)
            {
                moved = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                await moved.Task;
                continue;
            }

            var part = events.Skip(next).Take((int)Math.Min(room, batch)).ToList();
            foreach (var one in part)
            {
                open.Add(one.SequenceNumber);
                left[one.SequenceNumber] = sinks.Count;
            }

            Widest = Math.Max(Widest, part[^1].SequenceNumber - open.Min + 1);
            next += part.Count;
            await strategy.DispatchAsync(part, cancellationToken);
        }

        await strategy.DrainAsync(cancellationToken);
    }

    private void Written(long sequence)
    {
        if (--left[sequence] == 0)
        {
            left.Remove(sequence);
            open.Remove(sequence);
            moved?.TrySetResult();
        }
    }

    private sealed class Plural(ITrackedSink sink, Action<long> written) : ITrackedSink
    {
        public string Name => sink.Name;

        public int LargestBatch => sink.LargestBatch;

        public async ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
        {
            var outcome = await sink.WriteAsync(receivedEvent, cancellationToken);
            written(receivedEvent.SequenceNumber);
            return outcome;
        }

        public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
            await Task.WhenAll(StartBatch(events, cancellationToken));

        public IReadOnlyList<Task<WriteOutcome>> StartBatch(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken)
        {
            return [.. events.Zip(sink.StartBatch(events, cancellationToken), FollowAsync)];

            async Task<WriteOutcome> FollowAsync(EventSlot receivedEvent, Task<WriteOutcome> write)
            {
                var outcome = await write;
                written(receivedEvent.SequenceNumber);
                return outcome;
            }
        }
    }
}
