using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Facts;

/// <summary>A row of the ledger, or an event that was appended with a row's stamp. Entries with the same index belong together.</summary>
internal readonly record struct LedgerFact : ISortable
{
    public required long Index { get; init; }

    /// <summary>Whether it is a row of the ledger, and not an event.</summary>
    public bool IsRow { get; init; }

    public SendOutcome Outcome { get; init; }

    public Digest Body { get; init; }

    public long Length { get; init; }

    /// <summary>The partition key's hash. 0 for none.</summary>
    public ulong Key { get; init; }

    public int Partition { get; init; }

    public long Sequence { get; init; }

    public UInt128 Order => (ulong)Index ^ (1UL << 63);
}
