using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB9: a checkpoint that could not be stored is forgotten. When the hub falls quiet, nothing requests it again. A double of the writer.</summary>
public sealed class DropsAFailedCheckpointTests
{
    private const int Batch = 10;

    [Fact]
    public void The_position_never_catches_up_and_a_restart_replays_more_than_a_batch() =>
        Trial.Convicts(
            ["replayBound"],
            async schedule =>
            {
                var services = WithoutCheckpointsAtTheEnd(schedule, last: schedule.Random.Next(2, 4));
                var process = services.Start();
                using var ownership = process.Take(fenced: false);
                foreach (var batch in ownership.Batches(Batch))
                {
                    await NaivePump.WriteAsync(process, batch);
                    try
                    {
                        await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
                    }
                    catch (Exception)
                    {
                        // The mistake: "the next one will do", but there is no next one.
                    }
                }

                await schedule.Clock.DelayAsync(TimeSpan.FromMinutes(10), CancellationToken.None);
                services.Effects = _ => Effect.None;
                Assert.True(services.Stored!.Position.SequenceNumber < 39 - Batch);
                await Trial.FinishAsync(services, Batch);

                return services.Judge(replayLimit: Batch);
            }
        );

    [Fact]
    public void The_real_writer_catches_up() =>
        Trial.Repeat(async schedule =>
        {
            var services = WithoutCheckpointsAtTheEnd(schedule, last: 3);
            using var consumer = new RealPump(services.Start(), StrategyCatalog.Find("combined").Create);

            var running = consumer.RunAsync(Batch);
            await schedule.Clock.DelayAsync(TimeSpan.FromSeconds(2), CancellationToken.None);
            services.Effects = _ => Effect.None;
            await running;

            Assert.Equal(39, services.Stored!.Position.SequenceNumber);
            Assert.Empty(consumer.Errors);
            Assert.Equal(VerdictOutcome.Pass, services.Judge().Outcome);
        });

    private static RecordedServices WithoutCheckpointsAtTheEnd(Schedule schedule, int last) =>
        new(schedule, count: 40)
        {
            Effects = attempt => attempt.Place == Place.Checkpoints && attempt.Sequence >= 40 - (last * Batch) ? Effect.Refused : Effect.None,
        };
}
