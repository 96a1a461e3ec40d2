using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB2: starts every write and waits for none.</summary>
public sealed class FiresAndForgetsTests
{
    [Fact]
    public void The_naive_pump_stores_a_position_ahead_of_its_writes_and_has_a_batch_in_flight() =>
        Trial.Convicts(
            ["checkpointAhead"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40) { Latency = 50 };

                await NaivePump.RunAsync(services.Start(), context => new FiresAndForgets(context), batch: 20);
                await schedule.Clock.DelayAsync(TimeSpan.FromSeconds(10), CancellationToken.None);

                Assert.True(Evidence.MostInFlight(services.Journal) > 16);
                return services.Judge();
            }
        );

    [Fact]
    public void The_real_pump_stops_it_at_the_degree_and_nothing_is_lost() =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 40) { Latency = 50 };

            var (errors, verdict) = await Trial.StopAndHealAsync(services, context => new FiresAndForgets(context), batch: 20);

            Assert.Contains("17 events in flight on partition 0 with event 16, the degree allows 16", errors);
            Assert.Contains("strategy 'x' returned with 20 events unacknowledged on partition 0, first 0", errors);
            return verdict;
        });

    private sealed class FiresAndForgets(StrategyContext context) : IProcessingStrategy
    {
        public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            foreach (var receivedEvent in batch)
            {
                foreach (var sink in context.Sinks)
                {
                    _ = sink.WriteAsync(receivedEvent, cancellationToken).AsTask();
                }
            }

            return ValueTask.CompletedTask;
        }
    }
}
