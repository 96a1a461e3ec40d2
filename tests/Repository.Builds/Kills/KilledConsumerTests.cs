using EventHubThroughput.Repository.Builds.Library;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Kills;

/// <summary>
/// Consumers on packages, killed under load and judged by the verdict. The examples lose nothing, and no checkpoint passes an event that is not complete.
/// The same consumer without a pump is convicted, by the same judge.
/// </summary>
[Collection<PackedExamplesCollection>]
public sealed class KilledConsumerTests(PackedExamples examples, ITestOutputHelper output)
{
    private const int KillsOfPump = 20;
    private const int Seed = 1;

    // Twice the window (8 times the concurrency) and the events of a checkpoint: docs/library.md.
    private const int ReplayLimitOfPump = 2 * ((8 * 64) + 100);

    // A strategy with a barrier has at most one batch without a checkpoint.
    private const int BatchOfProcessor = 10;

    [Theory]
    [InlineData("PumpedProcessor", KillsOfPump, 6000, OrderPromise.Key, ReplayLimitOfPump)]
    [InlineData("Handler", null, 2000, OrderPromise.None, BatchOfProcessor)]
    [InlineData("HostedHandler", null, 2000, OrderPromise.None, BatchOfProcessor)]
    public async Task An_example_that_is_killed_at_random_moments_loses_nothing_and_has_no_checkpoint_ahead(
        string example,
        int? kills,
        int events,
        OrderPromise promise,
        int replayLimit
    )
    {
        await using var consumer = await KilledConsumer.PrepareAsync(examples.GetProgram(KillProjects.Of(example)), "", events);

        // Of the backlog 20/24 are handled on average before the last kill, so that the load lasts.
        var count = kills ?? Budget.Kills;
        await consumer.KillAsync(count, (int)(events / (0.6 * count)), Seed);

        var verdict = await consumer.FinishAsync(promise, replayLimit);

        output.WriteLine(
            $"{example}, {count} kills: {verdict.Summary} {verdict.Replayed} deliveries repeated, at most {verdict.ReplayExact} events of a partition by one kill, limit {replayLimit}"
        );
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal((events, 0L, 0L), (verdict.Acknowledged, verdict.Lost, verdict.CheckpointAhead));
        Assert.NotEqual(0, verdict.Replayed);
        Assert.InRange(verdict.DuplicateServiceBus, 0, verdict.Replayed);
    }

    [Theory]
    [InlineData("each-event")]
    [InlineData("for-each-async")]
    [InlineData("newest-event")]
    public async Task The_same_consumer_without_a_pump_is_convicted(string practice)
    {
        await using var consumer = await KilledConsumer.PrepareAsync(examples.GetProgram(KillProjects.Counterparts), practice, events: 2000);
        await consumer.KillWhenAheadAsync();

        var verdict = await consumer.FinishAsync(OrderPromise.None, replayLimit: null);

        output.WriteLine($"{practice}: {verdict.Summary}");
        Assert.Equal(VerdictOutcome.Fail, verdict.Outcome);
        Assert.NotEqual(0, verdict.CheckpointAhead);
    }
}
