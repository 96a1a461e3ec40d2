using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>Ledger and journal, each of which may be read again, and what is known about them after the first reading.</summary>
internal sealed record Sources(
    IEnumerable<LedgerRow> Ledger,
    Func<bool> LedgerEndsEarly,
    IEnumerable<RecordView> Journal,
    Func<bool> JournalEndsEarly,
    int JournalVersion
)
{
    /// <summary>Whether the journal records expired events.</summary>
    public bool RecordsExpiry => JournalVersion >= 3;

    /// <summary>Whether an emulator that continues the journal first records what a killed one had stored.</summary>
    public bool RecordsWhatAKillLeft => JournalVersion >= 5;
}
