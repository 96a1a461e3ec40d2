using EventHubThroughput.Clients;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Stores a position that is not above the one before. Everything below each of them is complete.</summary>
public sealed class StoresFallingPositionsTests
{
    [Fact]
    public void The_same_one_again_as_a_sign_of_life() =>
        Convicts(async services =>
        {
            var process = services.Start();
            using var ownership = process.Take(fenced: false);
            foreach (var batch in ownership.Batches(10))
            {
                await NaivePump.WriteAsync(process, batch);
                await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
                await services.Schedule.Clock.DelayAsync(TimeSpan.FromSeconds(30), CancellationToken.None);
                await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
            }
        });

    [Fact]
    public void The_begin_of_a_batch_of_which_an_event_failed() =>
        Convicts(
            async services =>
            {
                var process = services.Start();
                using var ownership = process.Take(fenced: false);
                var begin = default(ReceivedEvent);
                foreach (var batch in ownership.Batches(10))
                {
                    foreach (var received in batch.Events)
                    {
                        while (!await TryAsync(process, received))
                        {
                            await ownership.CheckpointAsync(NaivePump.GetPosition(begin!), CancellationToken.None);
                        }

                        await ownership.CheckpointAsync(NaivePump.GetPosition(received), CancellationToken.None);
                    }

                    begin = batch.Events[^1];
                }
            },
            attempt => attempt is { Place: Place.Queue, Sequence: 15, Number: 1 } ? Effect.Refused : Effect.None
        );

    [Fact]
    public void A_late_one_signed_with_a_name_that_claims_nothing() =>
        Convicts(
            async services =>
            {
                var process = services.Start();
                services.Claim(process.Client);
                using var ownership = process.Take(fenced: false, reader: process.Client);
                var stores = new List<Task>();
                foreach (var batch in ownership.Batches(10))
                {
                    await NaivePump.WriteAsync(process, batch);
                    stores.Add(StoreAsync(services, batch));
                    await services.Schedule.Clock.DelayAsync(TimeSpan.FromMilliseconds(20), CancellationToken.None);
                }

                await Task.WhenAll(stores);
            },
            attempt => attempt is { Place: Place.Checkpoints, Sequence: 9 } ? Effect.Slow : Effect.None
        );

    [Fact]
    public void Storing_positions_of_another_process_without_a_claim_is_convicted() =>
        Convicts(static services => Task.WhenAll(ConsumeAsync(services), ConsumeAsync(services)));

    [Fact]
    public void An_older_position_under_another_name_without_claims_is_convicted() =>
        Convicts(static async services =>
        {
            var process = services.Start();
            using var ownership = process.Take(fenced: false);
            EventBatch? before = null;
            foreach (var batch in ownership.Batches(10))
            {
                await NaivePump.WriteAsync(process, batch);
                await StoreAsync(services, batch);
                if (before is not null)
                {
                    await StoreAsync(services, before);
                    await StoreAsync(services, batch);
                }

                before = batch;
            }
        });

    private static Task ConsumeAsync(RecordedServices services) => NaivePump.RunAsync(services.Start(), context => new CombinedStrategy(context), batch: 10);

    private static void Convicts(Func<RecordedServices, Task> consume, Func<Attempt, Effect>? effects = null) =>
        Trial.Convicts(
            ["checkpointRegressionWithin"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40) { Effects = effects ?? (static _ => Effect.None) };
                await consume(services);
                return services.Judge();
            }
        );

    private static async Task StoreAsync(RecordedServices services, EventBatch batch)
    {
        using var signed = services.Start().Take(fenced: false);
        await signed.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
    }

    private static async Task<bool> TryAsync(RecordedProcess process, ReceivedEvent received)
    {
        try
        {
            await NaivePump.Over(NaivePump.GetSinks(process), context => new BaselineStrategy(context)).DispatchAsync([received], CancellationToken.None);
            return true;
        }
        catch (MessagingException)
        {
            return false;
        }
    }
}
