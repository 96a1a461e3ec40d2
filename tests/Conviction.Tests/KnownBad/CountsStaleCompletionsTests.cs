using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>
/// KB8: one tracker for all incarnations, which identifies events by their place in the delivery. The partition is lost and claimed again.
/// Completions of the first incarnation then count for other events. A double of the tracker.
/// </summary>
public sealed class CountsStaleCompletionsTests
{
    [Fact]
    public void A_stale_completion_lets_the_position_pass_an_event_that_is_not_complete() =>
        Trial.Convicts(
            ["checkpointAhead"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 30);
                var process = services.Start();
                var tracker = new OneForAll();

                // Ten events are stored as complete. The next ten are in flight when the partition is lost, and their writes continue.
                using var first = process.Take(fenced: false);
                var batches = first.Batches(10).Take(2).ToArray();
                await WriteAsync(process, tracker, batches[0]);
                await first.CheckpointAsync(NaivePump.GetPosition(tracker.Watermark!), CancellationToken.None);
                var stale = WriteAsync(process, tracker, batches[1]);

                using var second = process.Take(fenced: false);
                tracker.Restart();
                foreach (var batch in second.Batches(10))
                {
                    var writing = WriteAsync(process, tracker, batch);
                    await second.CheckpointAsync(NaivePump.GetPosition(tracker.Watermark ?? batch.Events[0]), CancellationToken.None);
                    await writing;
                    await stale;
                }

                return services.Judge();
            }
        );

    [Fact]
    public void The_real_tracker_drops_and_counts_it()
    {
        var watermark = new EventTracker(1, TimeProvider.System);
        Assert.True(watermark.TryHandOver(Some.Batch(2).Events, out _));
        watermark.Acknowledge(0, 0);
        watermark.Close();

        Assert.Equal(TrackResult.Closed, watermark.Acknowledge(1, 0));

        Assert.Equal(1, watermark.Late);
        Assert.Equal(0, watermark.Read()!.Value.Position.SequenceNumber);
    }

    private static Task WriteAsync(RecordedProcess process, OneForAll tracker, EventBatch batch)
    {
        var first = tracker.Deliver(batch.Events);
        var sinks = NaivePump.GetSinks(process);
        return Task.WhenAll(
            batch.Events.Select(
                async (received, i) =>
                {
                    await sinks[0].WriteAsync(received, CancellationToken.None);
                    await sinks[1].WriteAsync(received, CancellationToken.None);
                    tracker.Complete(first + i);
                }
            )
        );
    }

    private sealed class OneForAll
    {
        private readonly List<ReceivedEvent> delivered = [];
        private readonly HashSet<int> complete = [];

        public ReceivedEvent? Watermark => delivered.TakeWhile((_, place) => complete.Contains(place)).LastOrDefault();

        public int Deliver(IReadOnlyList<ReceivedEvent> events)
        {
            delivered.AddRange(events);
            return delivered.Count - events.Count;
        }

        public void Complete(int place) => complete.Add(place);

        public void Restart()
        {
            delivered.Clear();
            complete.Clear();
        }
    }
}
