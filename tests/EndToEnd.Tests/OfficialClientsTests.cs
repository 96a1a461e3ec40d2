using EventHubThroughput.Journal;
using EventHubThroughput.Processes;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>One consumer group for both families of clients, which hand it over to each other.</summary>
public sealed class OfficialClientsTests
{
    [Theory]
    [InlineData("builtin", "official", "builtin")]
    [InlineData("official", "builtin", "official")]
    public async Task The_families_hand_a_consumer_group_over_in_mid_run(string first, string second, string third)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync("--profile article", cancellationToken);
        await Earthquakes.SendAsync(emulator, "", cancellationToken);

        var firstCheckpoints = await FollowAsync(emulator, first, after: 0, cancellationToken);
        await FollowAsync(emulator, second, firstCheckpoints, cancellationToken);
        var verdict = await FinishAsync(emulator, $"--clients={third} --strategy=combined", OrderPromise.None, cancellationToken);

        // Each continued exactly at the position to which the one before had drained.
        Assert.Equal(0, verdict.DuplicateServiceBus);
    }

    [Theory]
    [InlineData("builtin", "official")]
    [InlineData("official", "builtin")]
    public async Task The_other_family_finishes_the_work_of_a_killed_one(string killed, string heir)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync("--profile article", cancellationToken);
        await Earthquakes.SendAsync(emulator, "", cancellationToken);

        await using (var victim = Follower(emulator, killed))
        {
            await WaitForCheckpointsAsync(emulator, 6, cancellationToken);
            victim.Kill();
            await victim.EndAsync(cancellationToken);
        }

        await FinishAsync(emulator, $"--clients={heir} --strategy=combined", OrderPromise.None, cancellationToken);
    }

    // Runs a consumer to its end and has everything complete and nothing against it.
    private static async Task<Verdict> FinishAsync(EmulatorProcess emulator, string options, OrderPromise promise, CancellationToken cancellationToken)
    {
        var run = await Programs.ConsumerAsync($"{options} --no-metrics", emulator.Settings, cancellationToken);
        Assert.True(run.ExitCode == 0, run.Error);
        await emulator.StopAsync(cancellationToken);
        var verdict = Earthquakes.Judge(emulator, Earthquakes.Read(emulator), promise);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(Earthquakes.Count, verdict.Complete);
        return verdict;
    }

    // Runs one family until it has stored some checkpoints, and lets it drain. Returns how many there are then.
    private static async Task<int> FollowAsync(EmulatorProcess emulator, string clients, int after, CancellationToken cancellationToken)
    {
        await using var follower = Follower(emulator, clients);
        await WaitForCheckpointsAsync(emulator, after + 6, cancellationToken);
        await follower.SignalAsync("TERM");
        var drained = await follower.EndAsync(cancellationToken);
        Assert.True(drained.ExitCode == 0, drained.Error);
        return CheckpointsIn(JournalFile.Open(emulator.Journal).Records);
    }

    private static RunningProcess Follower(EmulatorProcess emulator, string clients) =>
        Programs.Start("consumer", $"--clients={clients} --strategy=outloop --follow --no-metrics", emulator.Settings);

    private static Task WaitForCheckpointsAsync(EmulatorProcess emulator, int count, CancellationToken cancellationToken) =>
        JournalGrowth.WaitAsync(emulator.Journal, records => CheckpointsIn(records) >= count, cancellationToken);

    private static int CheckpointsIn(IEnumerable<JournalRecord> records) => records.OfType<CheckpointWritten>().Count();
}
