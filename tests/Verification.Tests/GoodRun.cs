using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests;

/// <summary>A ledger and a journal that belong together, and what they are judged by.</summary>
internal sealed record GoodRun(List<LedgerRow> Ledger, List<JournalRecord> Journal, VerificationScope Scope)
{
    public const string Hub = "hub";
    public const string Group = "$Default";
    public const string Queue = "queue";
    public const string Run = "run-1";

    public static VerificationScope GetScope(OrderPromise promise) =>
        new()
        {
            Hub = Hub,
            Group = Group,
            MessageEntity = Queue,
            ArchiveContainer = "archive",
            CheckpointContainer = "checkpoints",
            DeadLetterContainer = "deadletters",
            Promise = promise,
        };

    public Verdict Judge() => Verifier.Judge(Ledger, Numbered(Journal), Scope);

    public static IEnumerable<JournalRecord> Numbered(IEnumerable<JournalRecord> records) =>
        records.Select((record, index) => record with { Tick = index + 1 });
}
