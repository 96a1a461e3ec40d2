using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB14: a batch of a thousand concurrent events. It breaks no promise about events, only the bound on the number in flight.</summary>
public sealed class FansOutWithoutBoundTests
{
    private const int Batch = 1_000;

    [Fact]
    public void The_naive_pump_has_the_whole_batch_in_flight() =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, Batch);
            await NaivePump.RunAsync(services.Start(), context => new FansOut(context), Batch);
            Assert.Equal(Batch, Evidence.MostInFlight(services.Journal));
            return services.Judge();
        });

    [Fact]
    public void The_real_pump_holds_the_gate_and_nothing_is_lost() =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 100);

            var (errors, verdict) = await Trial.StopAndHealAsync(services, context => new FansOut(context), batch: 50);

            Assert.Contains(errors, error => error.EndsWith("the degree allows 16", StringComparison.Ordinal));
            Assert.True(Evidence.MostInFlight(services.Journal) <= 32, "the first consumer's sixteen, cut, and the second's");
            return verdict;
        });

    private sealed class FansOut(StrategyContext context) : IProcessingStrategy
    {
        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
            await Task.WhenAll(
                batch.Select(async received =>
                {
                    foreach (var sink in context.Sinks)
                    {
                        await sink.WriteAsync(received, cancellationToken);
                    }
                })
            );
    }
}
