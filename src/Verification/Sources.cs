using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>Ledger and journal, each of which may be read again, and what is known of them once they were read to their end.</summary>
internal sealed record Sources(
    IEnumerable<LedgerRow> Ledger, Func<bool> LedgerEndsEarly, IEnumerable<RecordView> Journal, Func<bool> JournalEndsEarly, bool TellsOfExpiry)
{
    public const int FirstVersionThatTellsOfExpiry = 3;
}
