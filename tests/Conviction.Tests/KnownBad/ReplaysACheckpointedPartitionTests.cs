using EventHubThroughput.Conviction.Tests.Recording;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>Reads a partition from its beginning on a new link, although it is checkpointed to its end.</summary>
public sealed class ReplaysACheckpointedPartitionTests
{
    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(true, false)]
    public void Replay_of_a_checkpointed_partition_is_convicted_with_and_without_prefetch_and_writes(bool prefetches, bool writes) =>
        Trial.Convicts(
            ["replayBound"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var process = services.Start();
                await ConsumeAsync(process, from: null, prefetches, writes: true);
                await ConsumeAsync(process, from: 0, prefetches, writes);
                return services.Judge();
            }
        );

    private static async Task ConsumeAsync(RecordedProcess process, long? from, bool prefetches, bool writes)
    {
        using var ownership = process.Take(fenced: false);
        foreach (var batch in ownership.Batches(10, from, prefetches))
        {
            if (writes)
            {
                await NaivePump.WriteAsync(process, batch);
            }

            if (from is null)
            {
                await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
            }
        }
    }
}
