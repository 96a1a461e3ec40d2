using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.Interleaving;

/// <summary>The strategies that promise the order of keys keep it through everything, as the journal shows.</summary>
public sealed class KeyedScheduleTests
{
    public static TheoryData<string> Strategies =>
        [.. StrategyCatalog.All.Where(strategy => strategy.Ordering == OrderingGuarantee.Key).Select(strategy => strategy.Name)];

    /// <summary>Retries, lost answers, the death of the process, a loss of the partition or a stop: the journal shows the order of keys all the same.</summary>
    [Theory]
    [MemberData(nameof(Strategies))]
    public void The_verdict_finds_the_order_of_keys_after_any_failures_and_changes_of_owner(string strategy) =>
        Schedules.Explore(async schedule =>
        {
            const int Window = 12;
            var services = new RecordedServices(schedule, count: 30, keys: schedule.Random.Next(1, 6))
            {
                Effects = attempt =>
                    attempt.Place != Place.Checkpoints && attempt.Number < 4
                        ? schedule.Random.Next(4) switch
                        {
                            0 => Effect.Refused,
                            1 => Effect.AnswerLost,
                            _ => Effect.None,
                        }
                        : Effect.None,
            };
            var declared = StrategyCatalog.Find(strategy);
            var limits = new DispatchLimits { Window = Window, Replay = 2 * Window };
            var how = schedule.Random.Next(4);
            var process = services.Start();
            using var first = Open(process);
            var running = first.RunAsync(schedule.Random.Next(1, 7));
            await schedule.PauseAsync(1_000, CancellationToken.None);
            switch (how)
            {
                case 0:
                    // Somewhere between hand-over and completion, over several batches.
                    process.Kill();
                    break;
                case 1:
                    await first.Ownership.LoseAsync();
                    await running;
                    break;
                default:
                    await first.Stop.RequestAsync();
                    await running;
                    break;
            }

            Assert.Empty(first.Errors);
            var repeated = services.Judge().Replayed;
            for (var takeOvers = 0; takeOvers < 5; takeOvers++)
            {
                using var next = Open(services.Start());
                await next.RunAsync(schedule.Random.Next(1, 7));
                Assert.Empty(next.Errors);
                if (!next.Ownership.IsLost)
                {
                    break;
                }
            }

            var verdict = services.Judge(OrderPromise.Key, replayLimit: 2 * Window);
            Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
            Assert.Equal(services.Events[^1].SequenceNumber, services.Stored!.Position.SequenceNumber);
            if (how > 1)
            {
                // What younger events had overtaken was written as well, so that nothing is left to repeat.
                Assert.Equal(repeated, verdict.Replayed);
            }

            RealPump Open(RecordedProcess process) =>
                new(
                    process,
                    declared.Create,
                    schedule.Random.Next(1, 9),
                    CheckpointOptions.From(schedule.Random.Next(1, 6), TimeSpan.FromMilliseconds(schedule.Random.Next(1, 30))),
                    limits: limits,
                    declared: declared
                );
        });
}
