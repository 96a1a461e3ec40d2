using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB1: stores the position, then processes. The real pump cannot express it: a strategy has no checkpoint to store.</summary>
public sealed class ChecksFirstTests
{
    [Fact]
    public void Killed_between_the_two_it_has_lost_a_batch() =>
        Trial.Convicts(
            ["lost", "checkpointAhead"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);

                await ConsumeAsync(services.Start(), killedIn: schedule.Random.Next(4));
                await ConsumeAsync(services.Start(), killedIn: null);

                var verdict = services.Judge();
                Assert.Equal(10, verdict.Lost);
                return verdict;
            }
        );

    [Fact]
    public void Undisturbed_it_is_convicted_all_the_same() =>
        Trial.Convicts(
            ["checkpointAhead"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                await ConsumeAsync(services.Start(), killedIn: null);
                return services.Judge();
            }
        );

    private static async Task ConsumeAsync(RecordedProcess process, int? killedIn)
    {
        using var ownership = process.Take(fenced: false);
        var strategy = NaivePump.Over(NaivePump.GetSinks(process), context => new BaselineStrategy(context));
        foreach (var batch in ownership.Batches(10))
        {
            await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
            if (killedIn-- == 0)
            {
                process.Kill();
                return;
            }

            await strategy.DispatchAsync(batch.Events, CancellationToken.None);
        }
    }
}
