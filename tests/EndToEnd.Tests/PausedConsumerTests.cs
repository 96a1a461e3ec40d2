using EventHubThroughput.Journal;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>A consumer that stands still for longer than its ownership lives, as a paused machine does, wakes up and owns nothing.</summary>
public sealed class PausedConsumerTests
{
    private const int Partitions = 4;

    [Theory]
    [EachFamily]
    public async Task Loses_its_partitions_to_another_and_does_no_harm_when_it_wakes(string clients)
    {
        CancellationToken cancellationToken = TestContext.Current.CancellationToken;
        await using EmulatorProcess emulator = await EmulatorProcess.StartAsync($"--profile article --partitions {Partitions}", cancellationToken);
        Finished sent = await Programs.SenderAsync(
            $"--clients={clients} --count 2000 --ledger {emulator.File("ledger")}",
            emulator.Settings,
            cancellationToken
        );
        Assert.True(sent.ExitCode == 0, sent.Error);

        string arguments = $"--clients={clients} --strategy=combined --no-metrics --balancing-interval 300ms --ownership-expiry 1s --identifier ";
        await using RunningProgram paused = RunningProgram.Start("consumer", arguments + "paused", emulator.Settings);
        await JournalGrowth.WaitAsync(
            emulator.Journal,
            records => OwnedBy("paused", records) == Partitions && records.OfType<CheckpointWritten>().Any(),
            cancellationToken
        );
        await paused.SignalAsync("STOP", cancellationToken);

        await using RunningProgram other = RunningProgram.Start("consumer", arguments + "other", emulator.Settings);
        await JournalGrowth.WaitAsync(emulator.Journal, records => OwnedBy("other", records) == Partitions, cancellationToken);
        await paused.SignalAsync("CONT", cancellationToken);

        foreach (RunningProgram program in new[] { paused, other })
        {
            Finished finished = await program.EndAsync(cancellationToken);
            Assert.True(finished.ExitCode == 0, finished.Error);
        }

        await emulator.StopAsync(cancellationToken);
        Verdict verdict = Verifier.Judge(
            LedgerFile.Open(emulator.File("ledger")),
            JournalFile.Open(emulator.Journal),
            new VerificationScope
            {
                Hub = "hub",
                Group = "$Default",
                MessageEntity = "queue",
                ArchiveContainer = "archive",
                CheckpointContainer = "checkpoints",
                DeadLetterContainer = "deadletters",
                Promise = OrderPromise.None,
                RunFinished = true,
            }
        );
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(2000, verdict.Acknowledged);
    }

    // How many partitions were last claimed or renewed by this owner.
    private static int OwnedBy(string owner, IEnumerable<JournalRecord> records) =>
        records.OfType<OwnershipWritten>().GroupBy(write => write.Partition).Count(writes => writes.Last().Owner == owner);
}
