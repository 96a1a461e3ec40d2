using EventHubThroughput.Conviction.Tests.Recording;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB7: does not wait for a checkpoint before the next one, and one of them is slow. A double of the writer.</summary>
public sealed class OverlapsItsCheckpointsTests
{
    [Fact]
    public void A_position_lands_after_a_later_one_of_the_same_owner() =>
        Trial.Convicts(
            ["checkpointRegressionWithin"],
            async schedule =>
            {
                var late = (10 * schedule.Random.Next(3)) + 9;
                var services = new RecordedServices(schedule, count: 40)
                {
                    Effects = attempt => attempt.Place == Place.Checkpoints && attempt.Sequence == late ? Effect.Slow : Effect.None,
                };
                var process = services.Start();
                using var ownership = process.Take(fenced: false);
                var stores = new List<Task>();
                foreach (var batch in ownership.Batches(10))
                {
                    await NaivePump.WriteAsync(process, batch);
                    stores.Add(ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None));
                }

                await Task.WhenAll(stores);
                return services.Judge();
            }
        );
}
