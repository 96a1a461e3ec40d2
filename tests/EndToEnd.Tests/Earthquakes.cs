using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The sample file as a workload: sent with a ledger, judged from that and the emulator's journal.</summary>
internal static class Earthquakes
{
    public const int Count = 1707;

    public static readonly string Sample = RepositoryFiles.GetPath("samples", "earthquakes.jsonl");

    public static async Task SendAsync(EmulatorProcess emulator, string arguments, CancellationToken cancellationToken)
    {
        var sent = await Programs.SenderAsync(
            $"--input {Sample} --key-field net --ledger {emulator.File("ledger")} {arguments}",
            emulator.Settings,
            cancellationToken
        );
        Assert.True(sent.ExitCode == 0, sent.Error);
    }

    public static JournalRecord[] Read(EmulatorProcess emulator) => [.. JournalFile.Open(emulator.Journal).Records];

    public static Verdict Judge(EmulatorProcess emulator, JournalRecord[] journal, OrderPromise promise, long? replayLimit = null) =>
        Verifier.Judge(
            LedgerReader.Read(emulator.File("ledger")),
            journal,
            new VerificationScope
            {
                Hub = "hub",
                Group = "$Default",
                MessageEntity = "queue",
                ArchiveContainer = "archive",
                CheckpointContainer = "checkpoints",
                DeadLetterContainer = "deadletters",
                Promise = promise,
                ReplayLimit = replayLimit,
            }
        );
}
