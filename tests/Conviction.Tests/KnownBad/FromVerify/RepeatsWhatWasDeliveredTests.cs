using EventHubThroughput.Clients;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Sends a message more often than the event was delivered to owners that had written nothing.</summary>
public sealed class RepeatsWhatWasDeliveredTests
{
    private const int Batch = 10;

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    public void The_second_owner_sends_everything_twice_that_the_first_was_given(bool firstWrites, bool firstIsKilled) =>
        Convicts(async services =>
        {
            var first = services.Start();
            using var left = first.Take(fenced: false);
            var given = left.Batches(Batch).First();
            if (firstWrites)
            {
                await NaivePump.WriteAsync(first, given);
            }

            if (firstIsKilled)
            {
                first.Kill();
            }

            await ConsumeAsync(services.Start(), batch => batch.Events[0].SequenceNumber == 0 ? 2 : 1);
        });

    [Fact]
    public void A_process_that_was_given_a_batch_twice_sends_it_three_times() => Convicts(services => ReadTwiceAsync(services, times: 3));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_process_that_was_given_a_batch_twice_sends_it_twice_it_is_clean(bool named) =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 40);
            await ReadTwiceAsync(services, times: 2, named);
            return services.Judge();
        });

    [Fact]
    public void A_process_sends_twice_what_one_that_is_gone_was_given_twice() =>
        Convicts(async services =>
        {
            var first = services.Start();
            for (var reading = 0; reading < 2; reading++)
            {
                using var left = first.Take(fenced: false);
                _ = left.Batches(Batch).First();
            }

            first.Kill();
            await ConsumeAsync(services.Start(), static batch => batch.Events[0].SequenceNumber == 0 ? 2 : 1);
        });

    [Fact]
    public void A_batch_is_processed_again_because_its_checkpoint_failed() =>
        Convicts(
            async services =>
            {
                var process = services.Start();
                using var ownership = process.Take(fenced: false);
                foreach (var batch in ownership.Batches(Batch))
                {
                    while (!await TryAsync(process, ownership, batch)) { }
                }
            },
            static (attempt, victim) => attempt is { Place: Place.Checkpoints, Number: 1 } && attempt.Sequence == GetEnd(victim) ? Effect.Refused : Effect.None
        );

    [Fact]
    public void An_owner_that_has_lost_the_partition_processes_its_batch_again() =>
        Convicts(async services =>
        {
            var first = services.Start();
            using var left = first.Take(fenced: true);
            var given = left.Batches(Batch).First();
            await NaivePump.WriteAsync(first, given);

            await ConsumeAsync(services.Start(), static _ => 1);
            Assert.False(await TryAsync(first, left, given));
        });

    [Fact]
    public void Both_sinks_are_written_again_because_one_of_them_failed() =>
        Convicts(
            services => NaivePump.RunAsync(services.Start(), context => new RepeatsTheEvent(context), Batch),
            static (attempt, victim) => attempt is { Place: Place.Archive, Number: 1 } && attempt.Sequence == victim ? Effect.Refused : Effect.None
        );

    [Fact]
    public void The_whole_batch_is_written_again_because_one_event_failed() =>
        Convicts(
            services => NaivePump.RunAsync(services.Start(), context => new RepeatsTheBatch(context), Batch),
            static (attempt, victim) => attempt is { Place: Place.Queue, Number: 1 } && attempt.Sequence == victim ? Effect.Refused : Effect.None
        );

    [Fact]
    public void Each_owner_sends_once_what_it_was_given_it_is_clean_so_that_the_second_message_is_what_is_convicted() =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 40);
            var first = services.Start();
            using var left = first.Take(fenced: false);
            await NaivePump.WriteAsync(first, left.Batches(Batch).First());
            await ConsumeAsync(services.Start(), static _ => 1);
            return services.Judge();
        });

    private static void Convicts(Func<RecordedServices, Task> consume, Func<Attempt, int, Effect>? effects = null) =>
        Trial.Convicts(
            ["duplicateServiceBus"],
            async schedule =>
            {
                // Neither the first nor the last of a batch.
                var victim = (Batch * schedule.Random.Next(4)) + schedule.Random.Next(1, Batch - 1);
                var services = new RecordedServices(schedule, count: 40) { Effects = attempt => effects?.Invoke(attempt, victim) ?? Effect.None };
                await consume(services);
                return services.Judge();
            }
        );

    private static int GetEnd(int sequence) => sequence / Batch * Batch + Batch - 1;

    // The first reading is given a batch and is replaced by a second one before anything of it is written.
    private static async Task ReadTwiceAsync(RecordedServices services, int times, bool named = true)
    {
        var process = services.Start();
        var name = named ? process.Client : null;
        if (named)
        {
            services.Claim(process.Client);
        }

        using (var first = process.Take(fenced: false, name))
        {
            await NaivePump.WriteAsync(process, first.Batches(1).First());
        }

        using (var left = process.Take(fenced: false, name))
        {
            _ = left.Batches(Batch, from: 1).First();
        }

        await ConsumeAsync(process, batch => batch.Events[0].SequenceNumber == 1 ? times : 1, from: 1, name);
    }

    private static async Task ConsumeAsync(RecordedProcess process, Func<EventBatch, int> times, long? from = null, string? name = null)
    {
        using var ownership = process.Take(fenced: false, name);
        foreach (var batch in ownership.Batches(Batch, from))
        {
            for (var time = 0; time < times(batch); time++)
            {
                await NaivePump.WriteAsync(process, batch);
            }

            await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
        }
    }

    // The mistake: writes and checkpoint are one unit that is tried again.
    private static async Task<bool> TryAsync(RecordedProcess process, RecordedOwnership ownership, EventBatch batch)
    {
        try
        {
            await NaivePump.WriteAsync(process, batch);
            await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
            return true;
        }
        catch (MessagingException)
        {
            return false;
        }
    }

    private sealed class RepeatsTheEvent(StrategyContext context) : IProcessingStrategy
    {
        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            foreach (var received in batch)
            {
                await RepeatAsync(() => new BaselineStrategy(context).DispatchAsync([received], cancellationToken));
            }
        }
    }

    private sealed class RepeatsTheBatch(StrategyContext context) : IProcessingStrategy
    {
        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
            await RepeatAsync(() => new BaselineStrategy(context).DispatchAsync(batch, cancellationToken));
    }

    private static async Task RepeatAsync(Func<ValueTask> write)
    {
        while (true)
        {
            try
            {
                await write();
                return;
            }
            catch (MessagingException)
            {
                // The mistake: what is already written is written again.
            }
        }
    }
}
