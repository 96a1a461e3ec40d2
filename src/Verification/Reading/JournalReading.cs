using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Goes through the journal once, in the order in which everything happened, and turns it into facts about events.</summary>
/// <param name="context">Where they go.</param>
/// <param name="byIndex">The rows of the ledger.</param>
/// <param name="tellsWhatAKillLeft">Whether what an emulator stored before it was killed is told by the next one.</param>
internal sealed class JournalReading(JournalContext context, ExternalSort<LedgerFact> byIndex, bool tellsWhatAKillLeft)
{
    private readonly HubReading hub = new(context, byIndex);
    private readonly SinkReading sinks = new(context);
    private readonly CheckpointReading checkpoints = new(context);

    /// <summary>Takes the next record.</summary>
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
            // That a blob was answered decides nothing: a second upload finds the first.
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
            case RecordKind.EmulatorStood:
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

    /// <summary>There are no more.</summary>
    public void Close() => hub.Close();

    // What was told until here lay there when the journal was begun: its checkpoints count as what readers find, and neither they nor what a stranger has
    // left at the sinks are of this run's making. Not once something has happened: then they may be.
    private void Found(long tick)
    {
        if (context.VerificationCounts is { Delivered: 0, BeginningsRecorded: false })
        {
            context.FoundUntil = tick;
            context.VerificationCounts.ForgetWhatWasFound();
        }
    }

    private void Restart(RecordView record)
    {
        context.LastRestart = tellsWhatAKillLeft ? 0 : record.Tick;
        // What was under way when the emulator before ended was never answered.
        context.QueueCuts.Add(record.Tick);
        context.ArchiveCuts.Add(record.Tick);
        context.Connections.Restart(record.Tick, record.Microseconds);
        foreach (var partition in context.Partitions.All)
        {
            partition.ForgetLinks();
        }
    }
}
