using EventHubThroughput.Journal;
using EventHubThroughput.Processes;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Two consumers that live under one identifier, as two copies of one deployment do.</summary>
public sealed class NamesakeConsumersTests
{
    private const int Partitions = 4;
    private const int Batch = 10;

    [Theory]
    [EachFamily]
    public async Task The_first_one_leaves_what_the_second_has_taken_and_little_is_done_twice(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync($"--profile article --partitions {Partitions}", cancellationToken);
        await using var sender = Programs.Start(
            "sender",
            $"--clients={clients} --quiet --rate 40 --count 100000 --ledger {emulator.File("ledger")}",
            emulator.Settings
        );
        var arguments = $"--clients={clients} --strategy=combined --batch {Batch} --no-metrics --balancing-interval 2s --ownership-expiry 6s --identifier ";

        await using var first = Programs.Start("consumer", arguments + "same --follow", emulator.Settings);
        await JournalGrowth.WaitAsync(emulator.Journal, static records => Readers(records).Count() == Partitions, cancellationToken);
        await using var second = await TakeAsync(
            () => Programs.Start("consumer", arguments + "same --follow", emulator.Settings),
            emulator.Journal,
            cancellationToken
        );
        var delivered = Deliveries(JournalFile.Open(emulator.Journal).Records);
        await JournalGrowth.WaitAsync(emulator.Journal, records => Deliveries(records) > delivered + 100, cancellationToken);

        FinishedProcess[] ends =
        [
            await EndAsync(sender, cancellationToken),
            await EndAsync(first, cancellationToken),
            await EndAsync(second, cancellationToken),
            await Programs.ConsumerAsync(arguments + "last", emulator.Settings, cancellationToken),
        ];

        Assert.All(ends, static end => Assert.True(end.ExitCode == 0, end.Error));
        Assert.Contains("warning: another processor has the name 'same' and owns partition ", ends[1].Error, StringComparison.Ordinal);
        await emulator.StopAsync(cancellationToken);

        var verdict = Verifier.Judge(
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

        // The journal cannot attribute claims by the name, so the verdict's replays per reader are not meaningful here.
        Assert.True((verdict.Lost, verdict.CheckpointAhead) == (0, 0), verdict.Summary);
        Assert.True(verdict.DuplicateServiceBus <= Partitions * Batch, $"{verdict.DuplicateServiceBus} duplicates");
    }

    // Whose look at the ownerships is overtaken by a renewal of all of them finds another one under its name, and takes nothing: it begins again.
    private static async Task<RunningProcess> TakeAsync(Func<RunningProcess> start, string journal, CancellationToken cancellationToken)
    {
        while (true)
        {
            var process = start();
            await JournalGrowth.WaitAsync(journal, records => HasTaken(records) || StandsBack(process), cancellationToken);
            if (HasTaken(JournalFile.Open(journal).Records))
            {
                return process;
            }

            await EndAsync(process, cancellationToken);
            await process.DisposeAsync();
        }
    }

    private static bool HasTaken(IEnumerable<JournalRecord> records) => Readers(records).Any(static readers => readers.Count() > 1);

    private static bool StandsBack(RunningProcess process) =>
        process.LastErrors().Any(static line => line.Contains("another processor has the name", StringComparison.Ordinal));

    // The links of each partition that events were delivered to.
    private static IEnumerable<IGrouping<string, string>> Readers(IEnumerable<JournalRecord> records) =>
        records
            .OfType<EventDelivered>()
            .Where(static one => one.OwnerLevel is not null)
            .Select(static one => (one.Partition, one.Link))
            .Distinct()
            .GroupBy(static one => one.Partition, static one => one.Link, StringComparer.Ordinal);

    private static long Deliveries(IEnumerable<JournalRecord> records) => records.OfType<EventDelivered>().Sum(static delivered => (long)delivered.Count);

    private static async Task<FinishedProcess> EndAsync(RunningProcess program, CancellationToken cancellationToken)
    {
        await program.SignalAsync("TERM");
        return await program.EndAsync(cancellationToken);
    }
}
