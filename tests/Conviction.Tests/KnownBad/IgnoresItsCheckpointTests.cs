using EventHubThroughput.Conviction.Tests.Recording;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>
/// Begins below the stored checkpoint where the backlog is below the prefetch, so that its predecessor had been pushed everything before
/// it stored anything.
/// </summary>
public sealed class IgnoresItsCheckpointTests
{
    private const int Batch = 5;
    private const int Checkpoints = 12;

    [Theory]
    [InlineData(50)]
    [InlineData(1)]
    public void Events_that_a_checkpoint_had_passed_are_repeated(int before) =>
        Trial.Convicts(
            ["replayBound"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 100);
                await ConsumeAsync(services.Start(), from: null, Checkpoints);
                await ConsumeAsync(services.Start(), from: (Checkpoints * Batch) - before, int.MaxValue);

                var verdict = services.Judge(replayLimit: Batch);
                Assert.Equal((before, before), (verdict.Replayed, verdict.DuplicateServiceBus));
                return verdict;
            }
        );

    [Fact]
    public void Beginning_at_the_checkpoint_is_clean_so_that_the_beginning_is_what_is_convicted() =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 100);
            await ConsumeAsync(services.Start(), from: null, Checkpoints);
            await ConsumeAsync(services.Start(), from: null, int.MaxValue);
            return services.Judge(replayLimit: Batch);
        });

    [Fact]
    public void The_real_pump_begins_at_the_checkpoint() =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 100);
            await ConsumeAsync(services.Start(), from: null, Checkpoints);
            await Trial.FinishAsync(services, Batch);
            return services.Judge(replayLimit: Batch);
        });

    private static async Task ConsumeAsync(RecordedProcess process, long? from, int batches)
    {
        using var ownership = process.Take(fenced: false);
        foreach (var batch in ownership.Batches(Batch, from, prefetches: true).Take(batches))
        {
            await NaivePump.WriteAsync(process, batch);
            await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
        }
    }
}
