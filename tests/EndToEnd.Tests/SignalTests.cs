using System.Text.RegularExpressions;
using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>What signals do to a consumer in the middle of its work. A hundred drains are <c>benchmarks/kills</c>.</summary>
public sealed partial class SignalTests
{
    [Theory]
    [EachStrategy]
    public async Task Consumers_that_drain_on_SIGTERM_leave_nothing_to_repeat(string clients, string strategy)
    {
        var run = await Programs.ConsumerAsync(
            $"supervise --clients={clients} --strategy={strategy} --drain --cycles 2",
            null,
            TestContext.Current.CancellationToken
        );

        // Exit code 0 means: every one drained and ended with 0, nothing lost, no checkpoint ahead, not one duplicate.
        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Matches($@"\n\| {strategy} \| 2 \| 2 \| [1-9][0-9]* \| 0 \| 0 \| 0 \| 0 \|", run.Output);
    }

    [Theory]
    [EachFamily("INT", 130)]
    [EachFamily("TERM", 143)]
    [EachFamily("HUP", 129)]
    public async Task A_second_signal_ends_immediately_and_reports_the_possible_replay(string clients, string signal, int exitCode)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await StartAsync(cancellationToken);
        await using var consumer = Programs.Start("consumer", $"--clients={clients} --strategy=combined --no-metrics --drain-limit 1h", emulator.Settings);
        await JournalGrowth.WaitAsync(emulator.Journal, HasDelivered, cancellationToken);

        await consumer.SignalAsync(signal);

        // Two that are both pending are one.
        await consumer.WaitForOutputAsync("A second signal ends the program", cancellationToken);
        await consumer.SignalAsync(signal);

        var finished = await consumer.EndAsync(cancellationToken);
        Assert.Equal(exitCode, finished.ExitCode);
        Assert.Matches(Replay(), finished.Error);
    }

    [Theory]
    [EachFamily]
    public async Task A_sink_that_never_answers_ends_the_drain_at_its_limit_with_code_8(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await StartAsync(cancellationToken);
        await using var consumer = Programs.Start("consumer", $"--clients={clients} --strategy=combined --no-metrics --drain-limit 1s", emulator.Settings);
        await JournalGrowth.WaitAsync(emulator.Journal, HasDelivered, cancellationToken);

        await consumer.SignalAsync("TERM");

        var finished = await consumer.EndAsync(cancellationToken);
        Assert.Equal(8, finished.ExitCode);

        // A first batch may be smaller than the largest one.
        Assert.Matches("error: drain limit 1 s exceeded: ([1-9]|10) in flight, partition 0 before its first event", finished.Error);
        await emulator.StopAsync(cancellationToken);
        Assert.Empty(JournalFile.Open(emulator.Journal).Records.OfType<CheckpointWritten>());
    }

    // No message is ever answered.
    private static async Task<EmulatorProcess> StartAsync(CancellationToken cancellationToken)
    {
        var emulator = await EmulatorProcess.StartAsync("--partitions 1 --faults F3", cancellationToken);
        var sent = await Programs.SenderAsync($"--count 100 --ledger {emulator.File("ledger")}", emulator.Settings, cancellationToken);
        Assert.True(sent.ExitCode == 0, sent.Error);
        return emulator;
    }

    // A blob of the first batch is there, so its message is under way.
    private static bool HasDelivered(IEnumerable<JournalRecord> records) =>
        records.OfType<BlobWritten>().Any(blob => blob.Moment == WriteMoment.Stored && blob.Container == "archive");

    [GeneratedRegex(@"again: ended immediately: may be delivered again: \d+ of partition 0", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Replay();
}
