using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification;

/// <summary>
/// Computes the verdict on a run from what its sender meant (the ledger) and what the services saw (the journal), and from
/// nothing that the consumer says of itself.
/// </summary>
public static class Verifier
{
    /// <summary>Judges from files; one that ends early makes undecided what it would have had to tell.</summary>
    /// <exception cref="JournalFormatException">A file is damaged.</exception>
    public static Verdict Judge(LedgerFile ledger, JournalFile journal, VerificationScope scope) =>
        Judge(ledger.Rows, () => ledger.EndsEarly, journal.Records, () => journal.EndsEarly, scope);

    /// <summary>Judges from rows and records, each read once and in order.</summary>
    /// <exception cref="JournalFormatException">Ticks do not increase, or an index stands in the ledger twice.</exception>
    public static Verdict Judge(IEnumerable<LedgerRow> ledger, IEnumerable<JournalRecord> journal, VerificationScope scope) =>
        Judge(ledger, () => false, journal, () => false, scope);

    private static Verdict Judge(
        IEnumerable<LedgerRow> rows, Func<bool> ledgerEndsEarly, IEnumerable<JournalRecord> records, Func<bool> journalEndsEarly,
        VerificationScope scope)
    {
        var findings = new Findings();
        var ledger = new LedgerTable(rows, scope);
        var ledgerIsWhole = !ledgerEndsEarly();
        var events = new EventTable(ledger, scope, findings);
        Read(records, ledger, events, ledgerIsWhole, scope, findings);

        new OrderJudge(events, findings).Judge();
        new Accounting(ledger, events, findings).Close();
        return VerdictBuilder.Build(ledger, scope, findings, ledgerIsWhole, journalEndsEarly());
    }

    private static void Read(
        IEnumerable<JournalRecord> records, LedgerTable ledger, EventTable events, bool ledgerIsWhole, VerificationScope scope,
        Findings findings)
    {
        var sinks = new SinkJudge(ledger, events, scope, findings) { LedgerIsWhole = ledgerIsWhole };
        var checkpoints = new CheckpointJudge(events, scope, findings);
        var deliveries = new DeliveryJudge(events, scope, findings);
        long tick = 0;
        foreach (var record in records)
        {
            tick = record.Tick > tick
                ? record.Tick
                : throw new JournalFormatException($"journal: tick {record.Tick} does not follow tick {tick}");
            switch (record)
            {
                case EventAppended appended: events.Append(appended); break;
                case EventDelivered delivered: deliveries.Observe(delivered); break;
                case MessageWritten message: sinks.Observe(message); break;
                case BlobWritten blob: sinks.Observe(blob); break;
                case FaultInjected fault: sinks.Observe(fault); break;
                case CheckpointWritten checkpoint: checkpoints.Observe(checkpoint); break;
                default: break;
            }
        }
    }
}
