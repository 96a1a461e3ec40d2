using System.Runtime.InteropServices;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>One row of the ledger, as far as the verdict needs it.</summary>
internal struct LedgerEntry
{
    public long Index;
    public Digest Sha256;
    public long Length;
    public int Key;
    public SendOutcome Outcome;
    public bool Complete;

    /// <summary>Where an event that is not complete stands; null when it was not even appended.</summary>
    public string? Missing;
}

/// <summary>The rows of the run that is judged, found by index.</summary>
internal sealed class LedgerTable
{
    private readonly List<LedgerEntry> entries = [];
    private readonly Dictionary<long, int> byIndex = [];
    private readonly Dictionary<string, int> keys = new(StringComparer.Ordinal);
    private readonly HashSet<string> otherRuns = new(StringComparer.Ordinal);

    public LedgerTable(IEnumerable<LedgerRow> rows, VerificationScope scope)
    {
        Run = scope.Run;
        foreach (var row in rows)
        {
            Run ??= row.Run;
            if (row.Run != Run)
            {
                otherRuns.Add(row.Run);
            }
            else if (string.Equals(row.Hub, scope.Hub, StringComparison.OrdinalIgnoreCase))
            {
                Add(row);
            }
        }
    }

    public string? Run { get; }

    /// <summary>Whether the ledger speaks of several runs.</summary>
    public bool HasOtherRuns => otherRuns.Count > 0;

    public Span<LedgerEntry> Entries => CollectionsMarshal.AsSpan(entries);

    /// <summary>The row's place, or -1.</summary>
    public int Find(long index) => byIndex.TryGetValue(index, out var place) ? place : -1;

    private void Add(LedgerRow row)
    {
        if (!byIndex.TryAdd(row.Index, entries.Count))
        {
            throw new JournalFormatException($"ledger: index {row.Index} of run {row.Run} stands there twice");
        }

        entries.Add(new LedgerEntry
        {
            Index = row.Index, Sha256 = Digest.Parse(row.Sha256), Length = row.Length, Key = KeyNumber(row.Key), Outcome = row.Outcome,
        });
    }

    private int KeyNumber(string? key)
    {
        if (key is null)
        {
            return EventState.NoKey;
        }

        ref var number = ref CollectionsMarshal.GetValueRefOrAddDefault(keys, key, out var known);
        if (!known)
        {
            number = keys.Count;
        }

        return number;
    }
}
