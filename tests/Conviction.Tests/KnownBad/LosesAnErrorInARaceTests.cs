using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>
/// KB4: a custom loop that repeats failed events. Of two that fail concurrently the first takes the list of failures. It also drops the error that
/// the second has added meanwhile: an error that only some schedules lose.
/// </summary>
public sealed class LosesAnErrorInARaceTests
{
    private const int SchedulesPerRun = 100;

    [Fact]
    public void Ten_thousand_schedules_convict_the_naive_pump_in_each_of_a_hundred_runs()
    {
        for (var run = 0; run < Trial.Runs; run++)
        {
            var convicted = 0;
            for (var seed = run * SchedulesPerRun; seed < (run + 1) * SchedulesPerRun; seed++)
            {
                VirtualTimeRunner.Run(clock => RaceAsync(new Schedule(seed, clock, new Random(seed))), seed);
            }

            Assert.True(convicted > 0, $"run {run}: {SchedulesPerRun} schedules, none of which lost an error");

            async Task RaceAsync(Schedule schedule)
            {
                var services = WithTwoFailures(schedule);
                await NaivePump.RunAsync(services.Start(), context => new LosesAnError(context, schedule), batch: 8);
                var verdict = services.Judge();
                Assert.Equal(verdict.Lost == 0 ? [] : ["lost", "checkpointAhead"], Trial.GetCharges(verdict));
                convicted += verdict.Lost == 0 ? 0 : 1;
            }
        }
    }

    [Fact]
    public void The_real_pump_loses_nothing() =>
        Trial.Clears(async schedule =>
        {
            var (errors, verdict) = await Trial.StopAndHealAsync(WithTwoFailures(schedule), context => new LosesAnError(context, schedule), batch: 8);
            Assert.Contains(errors, error => error.Contains("failed at servicebus", StringComparison.Ordinal));
            return verdict;
        });

    private static RecordedServices WithTwoFailures(Schedule schedule) =>
        new(schedule, count: 8) { Effects = attempt => attempt is { Place: Place.Queue, Sequence: 2 or 5, Number: 1 } ? Effect.TooLarge : Effect.None };

    private sealed class LosesAnError(StrategyContext context, Schedule schedule) : IProcessingStrategy
    {
        private List<EventSlot> failed = [];

        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
            await Task.WhenAll(batch.Select(received => WriteAsync(received, cancellationToken)));

        private async Task WriteAsync(EventSlot received, CancellationToken cancellationToken)
        {
            try
            {
                await WriteToAllAsync(received, cancellationToken);
            }
            catch (Exception)
            {
                failed.Add(received);
                await schedule.PauseAsync(10, cancellationToken);
                while (failed is [var next, ..])
                {
                    failed.RemoveAt(0);
                    await WriteToAllAsync(next, cancellationToken);

                    // The mistake.
                    failed = [];
                }
            }
        }

        private async Task WriteToAllAsync(EventSlot received, CancellationToken cancellationToken)
        {
            foreach (var sink in context.Sinks)
            {
                await sink.WriteAsync(received, cancellationToken);
            }
        }
    }
}
