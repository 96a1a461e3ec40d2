using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Judging;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Joins each row of the ledger with the events that were appended with its stamp.</summary>
internal sealed class LedgerJoin(string? run, VerificationCounts findings, ExternalSort<Fact> facts)
{
    private readonly List<LedgerFact> events = [];

    /// <summary>The indices that the ledger has.</summary>
    public IndexRanges Indices { get; } = new();

    /// <exception cref="JournalFormatException">An index occurs twice in the ledger.</exception>
    public void Join(ExternalSort<LedgerFact> byIndex)
    {
        LedgerFact? row = null;
        foreach (var fact in byIndex.Drain())
        {
            if (!fact.IsRow)
            {
                // A row sorts before events of the same index, because the ledger is read first.
                if (row?.Index == fact.Index)
                {
                    events.Add(fact);
                }

                continue;
            }

            if (row?.Index == fact.Index)
            {
                throw new JournalFormatException($"ledger: index {fact.Index} of run {run} exists twice");
            }

            Close(row);
            row = fact;
        }

        Close(row);
    }

    private void Close(LedgerFact? closing)
    {
        if (closing is not { } row)
        {
            return;
        }

        Indices.Add(row.Index);
        findings.Attempted++;
        findings.Acknowledged += row.Outcome == SendOutcome.Acked ? 1 : 0;
        if (events.Count == 0 && row.Outcome == SendOutcome.Acked)
        {
            findings.NeverAppended++;
            findings.Lost.Add($"index {row.Index}: acknowledged, but never appended");
        }

        var flags = (row.Outcome == SendOutcome.Acked ? FactFlags.Acknowledged : FactFlags.None) | (events.Count > 1 ? FactFlags.SharedRow : FactFlags.None);
        foreach (var appended in events)
        {
            facts.Add(
                new Fact
                {
                    Kind = FactKind.Expected,
                    Flags = flags,
                    Partition = appended.Partition,
                    Sequence = appended.Sequence,
                    Number = (long)row.Key,
                    Body = row.Body,
                    Length = row.Length,
                    // A send of unknown outcome that is complete was recovered. A refused one proves nothing.
                    Tick = row.Outcome == SendOutcome.Unknown ? 1 : 0,
                }
            );
        }

        events.Clear();
    }
}
