using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB5: an event's error is noted and the loop continues, so that a later event's checkpoint passes the one that failed.</summary>
public sealed class GoesOnAfterAnErrorTests
{
    [Fact]
    public void A_pump_that_stores_each_event_passes_the_one_that_failed() =>
        Trial.Convicts(
            ["lost", "checkpointAhead"],
            async schedule =>
            {
                var services = WithOneFailure(schedule);
                var process = services.Start();
                using var ownership = process.Take(fenced: false);
                var baseline = NaivePump.Over(NaivePump.GetSinks(process), context => new BaselineStrategy(context));
                foreach (var batch in ownership.Batches(10))
                {
                    foreach (var received in batch.Events)
                    {
                        try
                        {
                            await baseline.DispatchAsync([received], CancellationToken.None);
                        }
                        catch (Exception)
                        {
                            continue;
                        }

                        await ownership.CheckpointAsync(NaivePump.GetPosition(received), CancellationToken.None);
                    }
                }

                var verdict = services.Judge();
                Assert.Equal(1, verdict.Lost);
                return verdict;
            }
        );

    [Fact]
    public void The_real_pump_stops_before_it_and_nothing_is_lost() =>
        Trial.Clears(async schedule =>
        {
            var (errors, verdict) = await Trial.StopAndHealAsync(WithOneFailure(schedule), context => new ContinuesAcrossBatches(context), batch: 10);
            Assert.Contains(errors, error => error.Contains("returned with 1 event unacknowledged", StringComparison.Ordinal));
            return verdict;
        });

    private static RecordedServices WithOneFailure(Schedule schedule)
    {
        // Not the last: nothing would pass it.
        var victim = schedule.Random.Next(39);
        return new RecordedServices(schedule, count: 40)
        {
            Effects = attempt => attempt.Place == Place.Queue && attempt.Sequence == victim ? Effect.TooLarge : Effect.None,
        };
    }

    private sealed class ContinuesAcrossBatches(StrategyContext context) : IProcessingStrategy
    {
        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            foreach (var received in batch)
            {
                try
                {
                    await new BaselineStrategy(context).DispatchAsync([received], cancellationToken);
                }
                catch (Exception)
                {
                    // The mistake.
                }
            }
        }
    }
}
