using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.Interleaving;

/// <summary>
/// The pump with all its parts, one continuation at a time in an order drawn by the seed, judged by the verifier. Two events meet in every possible
/// order.
/// </summary>
public sealed class SessionScheduleTests
{
    private const int Events = 12;

    [Fact]
    public void Complete_and_complete() =>
        Schedules.Explore(async schedule =>
        {
            var services = new RecordedServices(schedule, Events, GetKeys(schedule));
            using var consumer = Open(services.Start());

            await consumer.RunAsync(GetBatch(schedule));

            Assert.Empty(consumer.Errors);
            AssertFinished(services);
            Assert.Equal(0, services.Judge().Replayed);
        });

    [Fact]
    public void Complete_and_drain() =>
        Schedules.Explore(async schedule =>
        {
            var services = new RecordedServices(schedule, Events, GetKeys(schedule));
            using var consumer = Open(services.Start());

            var running = consumer.RunAsync(GetBatch(schedule));
            await schedule.PauseAsync(60, CancellationToken.None);
            await consumer.Stop.RequestAsync();
            await running;

            Assert.Empty(consumer.Errors);
            await Trial.FinishAsync(services, batch: 4);
            AssertFinished(services);
            Assert.Equal((0, 0), (services.Judge().DuplicateServiceBus, services.Judge().Repeated));
        });

    [Fact]
    public void Take_and_drain() =>
        Schedules.Explore(async schedule =>
        {
            var services = new RecordedServices(schedule, Events);
            using var consumer = new RealPump(
                services.Start(),
                context => new TakesBeforeWriting(context, () => schedule.PauseAsync(5, CancellationToken.None)),
                schedule.Random.Next(2, 5)
            );

            var running = consumer.RunAsync(Events);
            await schedule.PauseAsync(60, CancellationToken.None);
            await consumer.Stop.RequestAsync();
            await running;

            Assert.Empty(consumer.Errors);
            await Trial.FinishAsync(services, batch: 4);
            AssertFinished(services);
            Assert.Equal((0, 0), (services.Judge().DuplicateServiceBus, services.Judge().Repeated));
        });

    [Fact]
    public void Complete_and_lose_ownership() =>
        Schedules.Explore(
            async schedule =>
            {
                var services = new RecordedServices(schedule, Events, GetKeys(schedule));
                using var first = Open(services.Start());
                var running = first.RunAsync(GetBatch(schedule));
                await schedule.PauseAsync(40, CancellationToken.None);

                // The first learns of the second a while later.
                using var second = Open(services.Start());
                var taking = second.RunAsync(GetBatch(schedule));
                await schedule.PauseAsync(10, CancellationToken.None);
                await first.Ownership.LoseAsync();
                await Task.WhenAll(running, taking);

                // A checkpoint of the first that was under way may have landed after the second began: the fence then stops the second.
                Assert.Empty(first.Errors.Concat(second.Errors));
                await Trial.FinishAsync(services, batch: 4);
                AssertFinished(services);
            },
            pastFailures: [9]
        );

    [Fact]
    public void Steal_and_final_checkpoint() =>
        Schedules.Explore(async schedule =>
        {
            var services = new RecordedServices(schedule, Events);
            using var first = Open(services.Start());
            var running = first.RunAsync(GetBatch(schedule));
            await schedule.PauseAsync(40, CancellationToken.None);

            var stopping = first.Stop.RequestAsync();
            await schedule.PauseAsync(5, CancellationToken.None);
            using var second = Open(services.Start());
            await Task.WhenAll(running, stopping, second.RunAsync(GetBatch(schedule)));

            // The fence may have refused either, and then another owner must finish.
            Assert.Empty(first.Errors.Concat(second.Errors));
            await Trial.FinishAsync(services, batch: 4);
            AssertFinished(services);
            Assert.Equal(0, services.Judge().CheckpointRegressionAcross);
        });

    [Fact]
    public void Lose_and_take_again_in_one_process() =>
        Schedules.Explore(async schedule =>
        {
            var services = new RecordedServices(schedule, Events);
            var process = services.Start();
            for (var incarnation = 0; incarnation < 3; incarnation++)
            {
                using var owner = Open(process);
                var running = owner.RunAsync(GetBatch(schedule));
                await schedule.PauseAsync(30, CancellationToken.None);
                await owner.Ownership.LoseAsync();
                await running;
                Assert.Empty(owner.Errors);
            }

            await Trial.FinishAsync(services, batch: 4);
            AssertFinished(services);
        });

    [Fact]
    public void Checkpoint_fails_and_a_newer_one_is_pending() =>
        Schedules.Explore(async schedule =>
        {
            var services = new RecordedServices(schedule, Events)
            {
                Effects = attempt =>
                    attempt is { Place: Place.Checkpoints, Number: < 3 }
                        ? schedule.Random.Next(4) switch
                        {
                            0 => Effect.Refused,
                            1 => Effect.AnswerLost,
                            _ => Effect.None,
                        }
                        : Effect.None,
            };
            using var consumer = Open(services.Start(), Timed(schedule));

            await consumer.RunAsync(GetBatch(schedule));

            Assert.Empty(consumer.Errors);
            AssertFinished(services);
            Assert.True(IsRising(consumer.Confirmed), string.Join(", ", consumer.Confirmed));
        });

    [Fact]
    public void Batch_end_and_checkpoint_timer() =>
        Schedules.Explore(async schedule =>
        {
            var services = new RecordedServices(schedule, Events);
            using var consumer = Open(services.Start(), Timed(schedule));

            await consumer.RunAsync(GetBatch(schedule));

            Assert.Empty(consumer.Errors);
            AssertFinished(services);
            Assert.True(IsRising(consumer.Confirmed), string.Join(", ", consumer.Confirmed));
            Assert.Equal(0, schedule.Clock.PendingTimers);
        });

    [Fact]
    public void Retry_and_cancel() =>
        Schedules.Explore(async schedule =>
        {
            var services = new RecordedServices(schedule, Events, GetKeys(schedule))
            {
                Effects = attempt =>
                    attempt.Place != Place.Checkpoints && attempt.Number < 4
                        ? schedule.Random.Next(3) switch
                        {
                            0 => Effect.Refused,
                            1 => Effect.AnswerLost,
                            _ => Effect.None,
                        }
                        : Effect.None,
            };
            using var first = Open(services.Start());
            var running = first.RunAsync(GetBatch(schedule));
            await schedule.PauseAsync(1_000, CancellationToken.None);

            // The loss of the partition, a stop with time to finish, or one without.
            switch (schedule.Random.Next(3))
            {
                case 0:
                    await first.Ownership.LoseAsync();
                    break;
                case 1:
                    await first.Stop.RequestAsync();
                    break;
                default:
                    await Task.WhenAll(first.Stop.RequestAsync(), first.Stop.CutAsync());
                    break;
            }

            await running;
            Assert.Empty(first.Errors);
            services.Effects = _ => Effect.None;
            await Trial.FinishAsync(services, batch: 4);
            AssertFinished(services);
        });

    [Fact]
    public void Fault_and_fault() =>
        Schedules.Explore(async schedule =>
        {
            var (one, other) = (schedule.Random.Next(Events), schedule.Random.Next(Events));
            var services = new RecordedServices(schedule, Events)
            {
                Effects = attempt =>
                    (attempt.Place == Place.Queue && attempt.Sequence == one) || (attempt.Place == Place.Archive && attempt.Sequence == other)
                        ? Effect.TooLarge
                        : Effect.None,
            };
            using var first = Open(services.Start());

            await first.RunAsync(GetBatch(schedule));

            Assert.All(first.Faults.All, fault => Assert.Equal(ProcessingFaultKind.Poison, fault.Kind));
            Assert.True((services.Stored?.Position.SequenceNumber ?? -1) < Math.Max(one, other));
            services.Effects = _ => Effect.None;
            await Trial.FinishAsync(services, batch: 4);
            AssertFinished(services);
        });

    [Fact]
    public void Dead_letter_store_and_low_watermark() =>
        Schedules.Explore(async schedule =>
        {
            var poison = schedule.Random.Next(Events);
            var services = new RecordedServices(schedule, Events)
            {
                Effects = attempt => attempt.Place == Place.Queue && attempt.Sequence == poison ? Effect.TooLarge : Effect.None,
            };
            var process = services.Start();
            var rule = new PoisonRule
            {
                Policy = PoisonPolicy.DeadLetter,
                Store = new DeadLetterWriter(process.DeadLetters, RecordedServices.Hub).StoreAsync,
                Blocked = new BlockedEvents(_ => { }, schedule.Clock),
            };
            using var consumer = Open(process, Timed(schedule), rule);

            await consumer.RunAsync(GetBatch(schedule));

            Assert.Empty(consumer.Errors);
            AssertFinished(services);
            Assert.Equal(1, services.Judge().DeadLettered);
        });

    [Fact]
    public void Dispatch_and_replay_limit_reached() =>
        Schedules.Explore(async schedule =>
        {
            const int window = 4;
            const int replay = 6;
            var refusing = true;
            var services = new RecordedServices(schedule, Events)
            {
                Effects = attempt => attempt.Place == Place.Checkpoints && refusing ? Effect.Refused : Effect.None,
            };
            var checkpoints = new CheckpointOptions { Events = 2 };
            using var consumer = Open(services.Start(), checkpoints, limits: new DispatchLimits { Window = window, Replay = replay });

            var running = consumer.RunAsync(GetBatch(schedule));
            await schedule.PauseAsync(2_000, CancellationToken.None);
            refusing = false;
            await running;

            Assert.Empty(consumer.Errors);
            AssertFinished(services);
            Assert.InRange(Evidence.FarthestBeyondCheckpoint(services.Journal), 1, replay);
        });

    [Fact]
    public void Stop_twice() =>
        Schedules.Explore(async schedule =>
        {
            var services = new RecordedServices(schedule, Events, GetKeys(schedule)) { Latency = 40 };
            using var first = Open(services.Start());
            var running = first.RunAsync(GetBatch(schedule));
            await schedule.PauseAsync(100, CancellationToken.None);

            var stopping = first.Stop.RequestAsync();
            await schedule.PauseAsync(5, CancellationToken.None);
            await Task.WhenAll(first.Stop.RequestAsync(), schedule.Random.Next(2) == 0 ? first.Stop.CutAsync() : Task.CompletedTask, stopping, running);

            Assert.Empty(first.Errors);
            await Trial.FinishAsync(services, batch: 4);
            AssertFinished(services);
        });

    internal static RealPump Open(
        RecordedProcess process,
        CheckpointOptions? checkpoints = null,
        PoisonRule? poison = null,
        DispatchLimits? limits = null,
        bool fenced = true,
        Func<StrategyDescriptor, bool>? among = null
    )
    {
        var random = process.Services.Schedule.Random;
        var known = StrategyCatalog.Safe.Where(among ?? (static _ => true)).ToList();
        var strategy = known[random.Next(known.Count)];
        return new RealPump(process, strategy.Create, random.Next(1, 9), checkpoints, poison, limits, fenced, strategy);
    }

    internal static int GetKeys(Schedule schedule) => schedule.Random.Next(0, 4);

    internal static int GetBatch(Schedule schedule) => schedule.Random.Next(1, 7);

    internal static void AssertNothingLost(RecordedServices services, long? replayLimit = null)
    {
        var verdict = services.Judge(replayLimit: replayLimit);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
    }

    /// <summary>Nothing is lost, and the position is the last event's.</summary>
    internal static void AssertFinished(RecordedServices services)
    {
        AssertNothingLost(services);
        Assert.Equal(services.Events[^1].SequenceNumber, services.Stored!.Position.SequenceNumber);
    }

    private static CheckpointOptions Timed(Schedule schedule) =>
        CheckpointOptions.From(schedule.Random.Next(1, 6), TimeSpan.FromMilliseconds(schedule.Random.Next(1, 30)));

    private static bool IsRising(List<long> positions) => positions.Zip(positions.Skip(1)).All(pair => pair.First < pair.Second);
}
