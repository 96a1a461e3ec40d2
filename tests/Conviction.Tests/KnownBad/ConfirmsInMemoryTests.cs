using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>
/// Treats its last positions as stored without storing them, and reports that it is complete. Everything is written, so nothing is broken yet. But
/// the run is not complete, and the next owner would repeat the events after the stored position.
/// </summary>
public sealed class ConfirmsInMemoryTests
{
    private const int Batch = 10;

    [Fact]
    public void The_verdict_is_undecided_because_the_stored_position_is_not_the_end() =>
        Trial.Repeat(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 40);
            await ConsumeAsync(services.Start(), stores: 4 - schedule.Random.Next(1, 4));

            var verdict = services.Judge(replayLimit: Batch);
            Assert.Equal(VerdictOutcome.Undecided, verdict.Outcome);
            Assert.StartsWith("the run did not finish: partition 0 has checkpoint ", Assert.Single(verdict.Reasons), StringComparison.Ordinal);
        });

    [Fact]
    public void Without_any_position_it_is_undecided_as_well() =>
        Trial.Repeat(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 40);
            await ConsumeAsync(services.Start(), stores: 0);

            Assert.Equal(VerdictOutcome.Undecided, services.Judge().Outcome);
        });

    [Fact]
    public void The_next_owner_is_convicted_of_repetitions_beyond_the_replay_limit() =>
        Trial.Convicts(
            ["replayBound"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                await ConsumeAsync(services.Start(), stores: schedule.Random.Next(3));
                await Trial.FinishAsync(services, Batch);
                return services.Judge(replayLimit: Batch);
            }
        );

    private static async Task ConsumeAsync(RecordedProcess process, int stores)
    {
        using var ownership = process.Take(fenced: false);
        foreach (var batch in ownership.Batches(Batch))
        {
            await NaivePump.WriteAsync(process, batch);
            if (stores-- > 0)
            {
                await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
            }
        }
    }
}
