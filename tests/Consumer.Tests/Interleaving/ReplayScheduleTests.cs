using EventHubThroughput.Consumer.Tests.Conviction;
using EventHubThroughput.Consumer.Tests.Conviction.Recording;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Interleaving;

/// <summary>What a new owner has to do again: nothing is lost, and no more is repeated than the bound allows.</summary>
public sealed class ReplayScheduleTests
{
    private const int Events = 12;

    [Fact]
    public void Killed_at_any_step_it_repeats_at_most_a_batch() =>
        Schedules.Explore(
            async schedule =>
            {
                var services = new RecordedServices(schedule, Events);
                var batch = PumpScheduleTests.BatchOf(schedule);
                for (var kills = schedule.Random.Next(1, 4); kills > 0; kills--)
                {
                    var process = services.Start();
                    _ = PumpScheduleTests.Open(process).RunAsync(batch);
                    await schedule.PauseAsync(60, CancellationToken.None);
                    process.Kill();
                }

                await Trial.FinishAsync(services, batch);
                PumpScheduleTests.AssertFinished(services);
                PumpScheduleTests.AssertNothingLost(services, replayLimit: batch);
            },
            pastFailures: [125]
        );

    [Fact]
    public void Owners_beside_each_other_lose_nothing_in_a_store_without_a_fence() =>
        Schedules.Explore(
            async schedule =>
            {
                var services = new RecordedServices(schedule, Events);
                var running = new List<Task>();
                var owners = new List<RealPump>();
                for (var i = schedule.Random.Next(2, 5); i > 0; i--)
                {
                    // None of them ever learns of the others.
                    owners.Add(PumpScheduleTests.Open(services.Start(), fenced: false));
                    running.Add(owners[^1].RunAsync(PumpScheduleTests.BatchOf(schedule)));
                    await schedule.PauseAsync(40, CancellationToken.None);
                }

                await Task.WhenAll(running);
                Assert.All(owners, owner => Assert.Empty(owner.Errors));
                await Trial.FinishAsync(services, batch: 4);

                // A position that a stale owner set back is counted; what is repeated from there is explained by it.
                PumpScheduleTests.AssertFinished(services);
                owners.ForEach(owner => owner.Dispose());
            },
            pastFailures: [27]
        );
}
