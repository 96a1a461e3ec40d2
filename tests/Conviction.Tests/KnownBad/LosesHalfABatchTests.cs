using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>Writes the first half of each batch and reports that it is done.</summary>
public sealed class LosesHalfABatchTests
{
    [Fact]
    public void The_naive_pump_loses_the_other_half() =>
        Trial.Convicts(
            ["lost", "checkpointAhead"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                await NaivePump.RunAsync(services.Start(), context => new LosesHalfABatch(context), batch: 10);
                var verdict = services.Judge();
                Assert.Equal(20, verdict.Lost);
                return verdict;
            }
        );

    [Fact]
    public void The_real_pump_reports_missing_events_and_loses_none() =>
        Trial.Clears(async schedule =>
        {
            var (errors, verdict) = await Trial.StopAndHealAsync(new RecordedServices(schedule, count: 40), context => new LosesHalfABatch(context), batch: 10);
            Assert.Equal(["strategy 'x' returned with 5 events unacknowledged on partition 0, first 5"], errors);
            return verdict;
        });

    private sealed class LosesHalfABatch(StrategyContext context) : IProcessingStrategy
    {
        public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
            new BaselineStrategy(context).DispatchAsync([.. batch.Take(batch.Count / 2)], cancellationToken);
    }
}
