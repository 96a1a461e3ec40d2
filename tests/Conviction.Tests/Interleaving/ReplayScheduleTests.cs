using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Processing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.Interleaving;

/// <summary>The repetitions of a new owner: nothing is lost, and no more is repeated than the bound allows.</summary>
public sealed class ReplayScheduleTests
{
    private const int Events = 12;

    [Fact]
    public void Killed_at_any_step_it_repeats_at_most_a_batch() =>
        Schedules.Explore(
            async schedule =>
            {
                var services = new RecordedServices(schedule, Events);
                var batch = SessionScheduleTests.GetBatch(schedule);
                for (var kills = schedule.Random.Next(1, 4); kills > 0; kills--)
                {
                    var process = services.Start();
                    _ = SessionScheduleTests.Open(process, among: static strategy => strategy.IsBarrier).RunAsync(batch);
                    await schedule.PauseAsync(60, CancellationToken.None);
                    process.Kill();
                }

                await Trial.FinishAsync(services, batch);
                SessionScheduleTests.AssertFinished(services);
                SessionScheduleTests.AssertNothingLost(services, replayLimit: batch);
            },
            pastFailures: [125]
        );

    [Fact]
    public void A_consumer_that_is_killed_at_any_step_and_resumes_repeats_at_most_its_replay_limit() =>
        Schedules.Explore(async schedule =>
        {
            var services = new RecordedServices(schedule, Events);
            var batch = SessionScheduleTests.GetBatch(schedule);
            var (window, events) = (schedule.Random.Next(1, 5), schedule.Random.Next(1, 4));
            var limits = new DispatchLimits { Window = window, Replay = window + events };
            for (var kills = schedule.Random.Next(1, 4); kills > 0; kills--)
            {
                var process = services.Start();
                _ = SessionScheduleTests
                    .Open(process, new CheckpointOptions { Events = events }, limits: limits, among: static strategy => !strategy.IsBarrier)
                    .RunAsync(batch);
                await schedule.PauseAsync(60, CancellationToken.None);
                process.Kill();
            }

            await Trial.FinishAsync(services, batch);
            SessionScheduleTests.AssertFinished(services);
            SessionScheduleTests.AssertNothingLost(services, replayLimit: Math.Max(limits.Replay, batch));
        });

    [Fact]
    public void Owners_beside_each_other_lose_nothing_in_a_store_without_a_fence() =>
        Schedules.Explore(
            async schedule =>
            {
                var services = new RecordedServices(schedule, Events) { ClaimsForOwners = true };
                var running = new List<Task>();
                var owners = new List<RealPump>();
                for (var i = schedule.Random.Next(2, 5); i > 0; i--)
                {
                    // None of them ever learns of the others.
                    owners.Add(SessionScheduleTests.Open(services.Start(), fenced: false));
                    running.Add(owners[^1].RunAsync(SessionScheduleTests.GetBatch(schedule)));
                    await schedule.PauseAsync(40, CancellationToken.None);
                }

                await Task.WhenAll(running);
                Assert.All(owners, owner => Assert.Empty(owner.Errors));
                await Trial.FinishAsync(services, batch: 4);

                // A position that a stale owner set back is counted. It explains the repetitions from there.
                SessionScheduleTests.AssertFinished(services);
                owners.ForEach(owner => owner.Dispose());
            },
            pastFailures: [27]
        );
}
