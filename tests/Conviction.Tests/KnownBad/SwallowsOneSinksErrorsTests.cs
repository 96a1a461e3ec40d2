using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB10: takes the exception of one sink for nothing, where a blob is refused for good.</summary>
public sealed class SwallowsOneSinksErrorsTests
{
    [Fact]
    public void The_naive_pump_loses_the_event_at_that_sink() =>
        Trial.Convicts(
            ["lost", "checkpointAhead"],
            async schedule =>
            {
                var services = WithoutOneBlob(schedule);

                await NaivePump.RunAsync(services.Start(), context => new SwallowsOneSinksErrors(context), batch: 10);

                var verdict = services.Judge();
                Assert.EndsWith("not in the container", verdict.Charges[0].Example, StringComparison.Ordinal);
                return verdict;
            }
        );

    [Fact]
    public void The_real_pump_cannot_take_it_for_acknowledged() =>
        Trial.Clears(async schedule =>
        {
            var (errors, verdict) = await Trial.StopAndHealAsync(WithoutOneBlob(schedule), context => new SwallowsOneSinksErrors(context), batch: 10);
            Assert.Contains(errors, error => error.Contains("failed at blob after 6 attempts", StringComparison.Ordinal));
            Assert.Contains(errors, error => error.Contains("returned with 1 event unacknowledged", StringComparison.Ordinal));
            return verdict;
        });

    private static RecordedServices WithoutOneBlob(Schedule schedule)
    {
        var victim = schedule.Random.Next(40);
        return new RecordedServices(schedule, count: 40)
        {
            Effects = attempt => attempt.Place == Place.Archive && attempt.Sequence == victim ? Effect.Refused : Effect.None,
        };
    }

    private sealed class SwallowsOneSinksErrors(StrategyContext context) : IProcessingStrategy
    {
        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            foreach (var received in batch)
            {
                await context.Sinks[0].WriteAsync(received, cancellationToken);
                try
                {
                    await context.Sinks[1].WriteAsync(received, cancellationToken);
                }
                catch (Exception)
                {
                    // The mistake.
                }
            }
        }
    }
}
