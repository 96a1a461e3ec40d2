using EventHubThroughput.Journal;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>A consumer that is paused for longer than its ownership lives, as on a paused machine, wakes up and owns nothing.</summary>
public sealed class PausedConsumerTests
{
    private const int Partitions = 4;

    [Theory]
    [EachFamily]
    public async Task Loses_its_partitions_to_another_and_does_no_harm_when_it_wakes(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync($"--profile article --partitions {Partitions}", cancellationToken);
        var sent = await Programs.SenderAsync($"--clients={clients} --count 2000 --ledger {emulator.File("ledger")}", emulator.Settings, cancellationToken);
        Assert.True(sent.ExitCode == 0, sent.Error);

        var arguments = $"--clients={clients} --strategy=combined --no-metrics --balancing-interval 300ms --ownership-expiry 1s --identifier ";
        await using var paused = Programs.Start("consumer", arguments + "paused", emulator.Settings);
        await JournalGrowth.WaitAsync(
            emulator.Journal,
            records => OwnedBy("paused", records) == Partitions && records.OfType<CheckpointWritten>().Any(),
            cancellationToken
        );
        await paused.SignalAsync("STOP");

        await using var other = Programs.Start("consumer", arguments + "other", emulator.Settings);
        await JournalGrowth.WaitAsync(emulator.Journal, records => OwnedBy("other", records) == Partitions, cancellationToken);
        await paused.SignalAsync("CONT");

        foreach (var program in new[] { paused, other })
        {
            var finished = await program.EndAsync(cancellationToken);
            Assert.True(finished.ExitCode == 0, finished.Error);
        }

        await emulator.StopAsync(cancellationToken);
        var verdict = Judge(emulator);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(2000, verdict.Acknowledged);
    }

    /// <summary>Everything is done when the first owner wakes in the middle of a batch, so any write that it begins is a duplicate.</summary>
    [Theory]
    [EachFamily]
    public async Task Begins_nothing_when_it_wakes_beyond_what_was_in_flight(string clients)
    {
        const int Events = 32;
        const int Degree = 4;
        var cancellationToken = TestContext.Current.CancellationToken;
        using var folder = new TemporaryFolder();
        var profile = folder.File("slow.json");
        await File.WriteAllTextAsync(profile, """{ "name": "slow", "basedOn": "none", "messageSend": { "meanMs": 2000 } }""", cancellationToken);
        await using var emulator = await EmulatorProcess.StartAsync($"--profile {profile} --partitions 1", cancellationToken);
        var sent = await Programs.SenderAsync($"--clients={clients} --count {Events} --ledger {emulator.File("ledger")}", emulator.Settings, cancellationToken);
        Assert.True(sent.ExitCode == 0, sent.Error);

        // The messages take so long that a batch is in its middle for seconds. The first batch may be short, so only writes without an answer count.
        var arguments =
            $"--clients={clients} --strategy=outloop --degree {Degree} --batch {Events} --no-metrics --balancing-interval 1s --ownership-expiry 2s --identifier ";
        await using var paused = Programs.Start("consumer", arguments + "paused", emulator.Settings);
        await JournalGrowth.WaitAsync(emulator.Journal, records => InFlight(records) >= Degree, cancellationToken);
        await paused.SignalAsync("STOP");

        var other = await Programs.ConsumerAsync(arguments + "other", emulator.Settings, cancellationToken);
        Assert.True(other.ExitCode == 0, other.Error);

        // The other one began each once. So those that were begun twice had been begun by the paused one, however long it took to stop it.
        var before = JournalFile.Open(emulator.Journal).Records.ToList();
        var ofPaused = Begun(before).CountBy(static id => id).Where(static id => id.Value > 1).Select(static id => id.Key).ToHashSet();
        Assert.InRange(ofPaused.Count, Degree, Events - 1);
        await paused.SignalAsync("CONT");
        var woken = await paused.EndAsync(cancellationToken);
        Assert.True(woken.ExitCode == 0, woken.Error);

        await emulator.StopAsync(cancellationToken);
        Assert.Empty(Begun(JournalFile.Open(emulator.Journal).Records.Skip(before.Count)).Except(ofPaused));
        var verdict = Judge(emulator);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.True(verdict.DuplicateServiceBus <= ofPaused.Count, $"{verdict.DuplicateServiceBus} duplicates of {ofPaused.Count} that both began");
    }

    private static IEnumerable<string> Begun(IEnumerable<JournalRecord> records) =>
        records.OfType<MessageWritten>().Where(static one => one.Moment == WriteMoment.Begun).Select(static one => one.MessageId);

    private static int InFlight(IEnumerable<JournalRecord> records)
    {
        var messages = records.OfType<MessageWritten>().ToLookup(static one => one.Moment);
        return messages[WriteMoment.Begun].Count() - messages[WriteMoment.Stored].Count();
    }

    private static Verdict Judge(EmulatorProcess emulator) =>
        Verifier.Judge(
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
            }
        );

    // How many partitions were last claimed or renewed by this owner.
    private static int OwnedBy(string owner, IEnumerable<JournalRecord> records) =>
        records.OfType<OwnershipWritten>().GroupBy(write => write.Partition).Count(writes => writes.Last().Owner == owner);
}
