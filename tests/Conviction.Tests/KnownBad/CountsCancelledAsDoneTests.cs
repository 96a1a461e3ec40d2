using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB3: treats a cancelled write as a finished one, where one write in twenty times out with a cancellation.</summary>
public sealed class CountsCancelledAsDoneTests
{
    [Fact]
    public void The_naive_pump_loses_what_timed_out() =>
        Trial.Convicts(
            ["lost", "checkpointAhead"],
            async schedule =>
            {
                var services = WithTimeOuts(schedule);
                await NaivePump.RunAsync(services.Start(), context => new CountsCancelledAsDone(context), batch: 10);
                return services.Judge();
            }
        );

    [Fact]
    public void The_real_pump_claims_nothing_of_it() =>
        Trial.Clears(async schedule =>
            (await Trial.StopAndHealAsync(WithTimeOuts(schedule), context => new CountsCancelledAsDone(context), batch: 10)).Verdict
        );

    private static RecordedServices WithTimeOuts(Schedule schedule)
    {
        var certain = schedule.Random.Next(40);
        return new RecordedServices(schedule, count: 40)
        {
            Effects = attempt =>
                attempt.Place != Place.Checkpoints && attempt.Number == 1 && (attempt.Sequence == certain || schedule.Random.Next(20) == 0)
                    ? Effect.CancelledByTimeOut
                    : Effect.None,
        };
    }

    private sealed class CountsCancelledAsDone(StrategyContext context) : IProcessingStrategy
    {
        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            foreach (var receivedEvent in batch)
            {
                foreach (var sink in context.Sinks)
                {
                    try
                    {
                        await sink.WriteAsync(receivedEvent, cancellationToken);
                    }
                    catch (OperationCanceledException)
                    {
                        // The mistake: the source of the cancellation is not checked.
                    }
                }
            }
        }
    }
}
