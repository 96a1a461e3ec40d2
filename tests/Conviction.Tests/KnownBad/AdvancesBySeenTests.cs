using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB6: the watermark is the newest event seen, not the oldest one complete. A double of the tracker: no strategy can do it.</summary>
public sealed class AdvancesBySeenTests
{
    [Fact]
    public void A_run_that_fails_after_the_checkpoint_of_a_position_that_was_only_seen_is_convicted() =>
        Trial.Convicts(
            ["lost", "checkpointAhead"],
            async schedule =>
            {
                var victim = schedule.Random.Next(40);
                var services = new RecordedServices(schedule, count: 40)
                {
                    Effects = attempt => attempt is { Place: Place.Archive, Number: 1 } && attempt.Sequence == victim ? Effect.TooLarge : Effect.None,
                };

                await ConsumeAsync(services.Start());
                await ConsumeAsync(services.Start());

                return services.Judge();
            }
        );

    private static async Task ConsumeAsync(RecordedProcess process)
    {
        using var ownership = process.Take(fenced: false);
        ReceivedEvent? seen = null;
        var strategy = NaivePump.Over(NaivePump.GetSinks(process).Select(sink => new Seeing(sink, See)), context => new CombinedStrategy(context));
        try
        {
            foreach (var batch in ownership.Batches(10))
            {
                var processing = strategy.DispatchAsync(batch.Events, CancellationToken.None).AsTask();
                await process.Services.Schedule.Clock.DelayAsync(TimeSpan.FromMilliseconds(1), CancellationToken.None);
                await ownership.CheckpointAsync(NaivePump.GetPosition(seen!), CancellationToken.None);
                await processing;
            }
        }
        catch (Exception)
        {
            // The run ends. The next one begins at the stored position.
        }

        void See(ReceivedEvent received)
        {
            if (seen is null || seen.SequenceNumber < received.SequenceNumber)
            {
                seen = received;
            }
        }
    }

    private sealed class Seeing(ISink<ReceivedEvent> inner, Action<ReceivedEvent> see) : ISink<ReceivedEvent>
    {
        public string Name => inner.Name;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            see(receivedEvent);
            return inner.WriteAsync(receivedEvent, cancellationToken);
        }
    }
}
