using System.Text;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Reads the rows of the verified run.</summary>
internal sealed class LedgerReading(VerificationScope scope, ExternalSort<LedgerFact> facts)
{
    private (string Text, ulong Hash)? lastKey;

    public string? Run { get; private set; } = scope.Run;

    /// <summary>Whether the ledger has rows of several runs.</summary>
    public bool HasOtherRuns { get; private set; }

    /// <summary>Whether it has no rows.</summary>
    public bool IsEmpty { get; private set; } = true;

    /// <summary>Processes the next row.</summary>
    public void Read(LedgerRow row)
    {
        IsEmpty = false;
        Run ??= row.Run;
        if (row.Run != Run)
        {
            HasOtherRuns = true;
        }
        else if (string.Equals(row.Hub, scope.Hub, StringComparison.OrdinalIgnoreCase))
        {
            facts.Add(GetFact(row));
        }
    }

    private LedgerFact GetFact(LedgerRow row)
    {
        Span<byte> digits = stackalloc byte[64];
        var isHash = Encoding.UTF8.TryGetBytes(row.Sha256, digits, out var length);
        return new LedgerFact
        {
            Index = row.Index,
            IsRow = true,
            Outcome = row.Outcome,
            Body = isHash ? Digest.Parse(digits[..length]) : default,
            Length = row.Length,
            Key = row.Key is null ? 0 : ComputeHash(row.Key),
        };
    }

    private ulong ComputeHash(string key)
    {
        if (lastKey?.Text != key)
        {
            lastKey = (key, TextHash.Of(Encoding.UTF8.GetBytes(key)));
        }

        return lastKey.Value.Hash;
    }
}
