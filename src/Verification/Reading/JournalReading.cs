using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Reads the journal once, in the order of the records, and converts it to facts about events.</summary>
/// <param name="context">The receiver of the facts.</param>
/// <param name="byIndex">The rows of the ledger.</param>
/// <param name="recordsWhatAKillLeft">Whether the next emulator records what a killed one had stored.</param>
internal sealed class JournalReading(JournalContext context, ExternalSort<LedgerFact> byIndex, bool recordsWhatAKillLeft)
{
    private readonly HubReading hub = new(context, byIndex);
    private readonly SinkReading sinks = new(context);
    private readonly CheckpointReading checkpoints = new(context);

    /// <summary>Processes the next record.</summary>
    public void Read(RecordView record)
    {
        switch (record.Kind)
        {
            case RecordKind.EventAppended:
                hub.Append(record);
                break;
            case RecordKind.ReaderAttached:
                hub.Attach(record);
                break;
            case RecordKind.EventDelivered:
                hub.Deliver(record);
                break;
            case RecordKind.EventExpired:
                hub.Expire(record);
                break;
            case RecordKind.MessageBegun or RecordKind.MessageStored or RecordKind.MessageAnswered:
                sinks.Message(record);
                break;
            // The answer to a blob upload is irrelevant: a second upload finds the first.
            case RecordKind.BlobStored:
                sinks.Blob(record);
                break;
            case RecordKind.BlobBegun when !context.DeadLetters.Is(record.Text(RecordField.Container)):
                sinks.Blob(record);
                break;
            case RecordKind.BlobDeleted:
                sinks.Deleted(record);
                break;
            case RecordKind.CheckpointStored:
                checkpoints.Store(record);
                break;
            case RecordKind.OwnershipWritten:
                checkpoints.Claim(record);
                break;
            case RecordKind.ConnectionCut:
                context.Connections.Cut(record.Text(RecordField.Connection), record.Tick, record.Microseconds);
                break;
            case RecordKind.EmulatorPaused:
                context.Standstills.Add(record.Microseconds, record.Number(RecordField.Stood));
                break;
            case RecordKind.FaultInjected:
                hub.Fault(record);
                sinks.Fault(record);
                break;
            case RecordKind.PartitionReadBack:
                hub.ReadBack(record);
                break;
            case RecordKind.StateFound:
                Found(record.Tick);
                break;
            case RecordKind.EmulatorStarted:
                Restart(record);
                break;
            default:
                break;
        }
    }

    /// <summary>Call after the last record.</summary>
    public void Close() => hub.Close();

    // The records until here describe what existed when the journal began. Their checkpoints count as those that readers find. They and the leftovers at the
    // sinks do not belong to this run, unless something has happened before.
    private void Found(long tick)
    {
        if (context.VerificationCounts is { Delivered: 0, BeginningsRecorded: false })
        {
            context.FoundUntil = tick;
            context.VerificationCounts.Clear();
        }
    }

    private void Restart(RecordView record)
    {
        context.LastRestart = recordsWhatAKillLeft ? 0 : record.Tick;
        // Requests under way when the emulator before ended never got an answer.
        context.QueueCuts.Add(record.Tick);
        context.ArchiveCuts.Add(record.Tick);
        context.Connections.Restart(record.Tick, record.Microseconds);
        foreach (var partition in context.Partitions.All)
        {
            partition.ForgetLinks();
        }
    }
}
