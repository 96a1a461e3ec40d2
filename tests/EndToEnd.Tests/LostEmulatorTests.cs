using EventHubThroughput.Journal;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>An emulator that dies under a consumer, which tries for a minute to find it again. The test runs beside others, since it mostly waits.</summary>
public sealed class LostEmulatorTests
{
    [Theory]
    [EachFamily]
    public async Task An_emulator_killed_in_mid_run_ends_the_consumer_with_exit_code_4_and_no_checkpoint_ahead(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync("--profile article", cancellationToken);
        await Earthquakes.SendAsync(emulator, $"--clients={clients}", cancellationToken);

        await using var consumer = Programs.Start("consumer", $"--clients={clients} --strategy=combined --no-metrics", emulator.Settings);
        await JournalGrowth.WaitAsync(emulator.Journal, records => records.OfType<CheckpointWritten>().Count() >= 4, cancellationToken);
        emulator.Kill();

        var finished = await consumer.EndAsync(cancellationToken);
        Assert.Equal(4, finished.ExitCode);
        var error = Assert.Single(
            finished.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries),
            line => line.StartsWith("error:", StringComparison.Ordinal)
        );
        Assert.Contains("unreachable", error, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", finished.Error, StringComparison.Ordinal);
        var verdict = Earthquakes.Judge(emulator, Earthquakes.Read(emulator), OrderPromise.None);
        Assert.Equal(0, verdict.CheckpointAhead);
        Assert.NotEqual(VerdictOutcome.Fail, verdict.Outcome);
    }
}
