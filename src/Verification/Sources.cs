using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>Ledger and journal, each of which may be read again, and what is known of them once they were read to their end.</summary>
internal sealed record Sources(
    IEnumerable<LedgerRow> Ledger,
    Func<bool> LedgerEndsEarly,
    IEnumerable<RecordView> Journal,
    Func<bool> JournalEndsEarly,
    int JournalVersion
)
{
    /// <summary>Whether what retention took is in the journal.</summary>
    public bool TellsOfExpiry => JournalVersion >= 3;

    /// <summary>Whether an emulator that goes on with the journal first tells what a killed one had stored.</summary>
    public bool TellsWhatAKillLeft => JournalVersion >= 5;
}
