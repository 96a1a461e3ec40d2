using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Facts;

/// <summary>A row of the ledger, or an event that was appended with a row's stamp: what has the same index belongs together.</summary>
internal readonly record struct LedgerFact : ISortable
{
    public required long Index { get; init; }

    /// <summary>The ledger's row, or an event.</summary>
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
