using System.Globalization;
using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>
/// Encodes records as JSON objects without their beginning: tick and time are added in front when they are known. Null and false values are left out. Not
/// safe for several threads.
/// </summary>
internal sealed class RecordEncoder
{
    // With tick, time and checksum a line stays below its limit.
    private const int MaximumRest = JournalFormat.MaximumLine - 64;

    private readonly FieldBuffer json = new();
    private readonly List<Range> rests = [];

    public int Count => rests.Count;

    /// <summary>From the comma after the time to the closing brace.</summary>
    public ReadOnlySpan<byte> this[int index] => json[rests[index]];

    public void Clear()
    {
        rests.Clear();
        json.Clear();
    }

    /// <exception cref="ArgumentException">The record does not fit in a line.</exception>
    public void Add(JournalRecord record)
    {
        var start = json.Length;
        switch (record)
        {
            case EventAppended appended:
                Add(appended);
                break;
            case ReaderAttached attached:
                Add(attached);
                break;
            case EventDelivered delivered:
                Add(delivered);
                break;
            case EventExpired expired:
                AddEvent(JournalFormat.EventExpired, expired.Hub, expired.Partition, expired.Sequence);
                break;
            case PartitionReadBack read:
                AddEvent(JournalFormat.PartitionReadBack, read.Hub, read.Partition, read.Sequence);
                break;
            case EmulatorStarted:
                json.Add(JournalFormat.Kind, JournalFormat.EmulatorStarted);
                break;
            case StateFound:
                json.Add(JournalFormat.Kind, JournalFormat.StateFound);
                break;
            case EmulatorPaused stood:
                json.Add(JournalFormat.Kind, JournalFormat.EmulatorPaused);
                json.Add(JournalFormat.Stood, stood.Stood);
                break;
            case MessageWritten message:
                Add(message);
                break;
            case MessageDelivered delivered:
                Add(delivered);
                break;
            case MessageSettled settled:
                Add(settled);
                break;
            case BlobWritten blob:
                Add(blob);
                break;
            case BlobDeleted deleted:
                Add(deleted);
                break;
            case CheckpointWritten checkpoint:
                Add(checkpoint);
                break;
            case OwnershipWritten ownership:
                Add(ownership);
                break;
            case RulesNotEvaluated rules:
                Add(rules);
                break;
            case ConnectionCut cut:
                Add(cut);
                break;
            case FaultInjected fault:
                Add(fault);
                break;
            default:
                throw new ArgumentException($"no journal form for {record.GetType().Name}", nameof(record));
        }

        json.Raw("}"u8);
        if (json.Length - start > MaximumRest)
        {
            throw new ArgumentException($"a journal record of {json.Length - start} bytes, the limit is {MaximumRest}", nameof(record));
        }

        rests.Add(start..json.Length);
    }

    private void Add(EventAppended record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.EventAppended);
        json.Add(JournalFormat.Hub, record.Hub);
        json.Add(JournalFormat.Partition, record.Partition);
        json.Add(JournalFormat.Sequence, record.Sequence);
        if (record.Offset != record.Sequence.ToString(CultureInfo.InvariantCulture))
        {
            json.Add(JournalFormat.Offset, record.Offset);
        }

        AddContent(record.Sha256, record.Length, record.ContentType);
        json.AddHash(JournalFormat.PropertiesSha256, record.PropertiesSha256);
        json.Add(JournalFormat.Properties, record.Properties);
    }

    private void Add(ReaderAttached record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.ReaderAttached);
        json.Add(JournalFormat.Hub, record.Hub);
        json.Add(JournalFormat.Group, record.Group);
        json.Add(JournalFormat.Partition, record.Partition);
        json.Add(JournalFormat.Sequence, record.Sequence);
        json.Add(JournalFormat.Link, record.Link);
        Add(JournalFormat.OwnerLevel, record.OwnerLevel);
        json.Add(JournalFormat.ClientId, record.ClientId);
    }

    private void Add(EventDelivered record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.EventDelivered);
        json.Add(JournalFormat.Hub, record.Hub);
        json.Add(JournalFormat.Group, record.Group);
        json.Add(JournalFormat.Partition, record.Partition);
        json.Add(JournalFormat.Sequence, record.Sequence);
        Add(JournalFormat.Count, record.Count == 1 ? null : record.Count);
        json.Add(JournalFormat.Link, record.Link);
        Add(JournalFormat.OwnerLevel, record.OwnerLevel);
    }

    private void AddEvent(JsonEncodedText kind, string hub, string partition, long sequence)
    {
        json.Add(JournalFormat.Kind, kind);
        json.Add(JournalFormat.Hub, hub);
        json.Add(JournalFormat.Partition, partition);
        json.Add(JournalFormat.Sequence, sequence);
    }

    private void Add(MessageWritten record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.MessageWritten[(int)record.Moment]);
        json.Add(JournalFormat.Entity, record.Entity);
        json.Add(JournalFormat.MessageId, record.MessageId);
        if (record.Sha256 is not null || record.Moment == WriteMoment.Stored)
        {
            AddContent(record.Sha256, record.Length, record.ContentType);
            json.AddHash(JournalFormat.PropertiesSha256, record.PropertiesSha256);
            json.Add(JournalFormat.Properties, record.Properties);
        }

        json.Add(JournalFormat.Deduplicated, record.Deduplicated);
        Add(JournalFormat.Arrival, record.Arrival);
        json.Add(JournalFormat.Connection, record.Connection);
    }

    private void Add(MessageDelivered record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.MessageDelivered);
        json.Add(JournalFormat.Entity, record.Entity);
        json.Add(JournalFormat.MessageId, record.MessageId);
        json.Add(JournalFormat.Sequence, record.Sequence);
        json.Add(JournalFormat.Link, record.Link);
    }

    private void Add(MessageSettled record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.MessageSettled);
        json.Add(JournalFormat.Entity, record.Entity);
        json.Add(JournalFormat.MessageId, record.MessageId);
        json.Add(JournalFormat.Sequence, record.Sequence);
        json.Add(JournalFormat.Outcome, record.Outcome);
        json.Add(JournalFormat.Link, record.Link);
    }

    private void Add(BlobWritten record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.BlobWritten[(int)record.Moment]);
        json.Add(JournalFormat.Container, record.Container);
        json.Add(JournalFormat.BlobName, record.Name);
        AddContent(record.Sha256, record.Length, record.ContentType);
        json.AddHash(JournalFormat.PropertiesSha256, record.PropertiesSha256);
        json.Add(JournalFormat.Metadata, record.Metadata);
        json.Add(JournalFormat.Restated, record.Restated);
        json.Add(JournalFormat.ETag, record.ETag);
        json.Add(JournalFormat.Overwrote, record.Overwrote);
    }

    private void Add(BlobDeleted record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.BlobDeleted);
        json.Add(JournalFormat.Container, record.Container);
        json.Add(JournalFormat.BlobName, record.Name);
        json.Add(JournalFormat.ETag, record.ETag);
    }

    private void Add(CheckpointWritten record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.CheckpointWritten[(int)record.Moment]);
        AddPlace(record.Container, record.Hub, record.Group, record.Partition);
        json.Add(JournalFormat.Offset, record.Offset);
        // Text, because the stored value may not be a number.
        json.Add(JournalFormat.Sequence, record.Sequence);
        json.Add(JournalFormat.ClientId, record.ClientId);
        json.Add(JournalFormat.PreviousETag, record.PreviousETag);
        json.Add(JournalFormat.ETag, record.ETag);
    }

    private void Add(OwnershipWritten record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.OwnershipWritten);
        AddPlace(record.Container, record.Hub, record.Group, record.Partition);
        json.Add(JournalFormat.Owner, record.Owner);
        json.Add(JournalFormat.PreviousETag, record.PreviousETag);
        json.Add(JournalFormat.ETag, record.ETag);
    }

    private void Add(RulesNotEvaluated record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.RulesNotEvaluated);
        json.Add(JournalFormat.Entity, record.Entity);
        json.Add(JournalFormat.MessageId, record.MessageId);
        json.Add(JournalFormat.Rule, record.Rule);
        Add(JournalFormat.Count, record.Count == 1 ? null : record.Count);
    }

    private void Add(ConnectionCut record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.ConnectionCut);
        json.Add(JournalFormat.Connection, record.Connection);
    }

    private void Add(FaultInjected record)
    {
        json.Add(JournalFormat.Kind, JournalFormat.FaultInjected);
        json.Add(JournalFormat.Fault, record.Fault);
        json.Add(JournalFormat.Point, record.Point);
        json.Add(JournalFormat.Action, record.Action);
        json.Add(JournalFormat.Target, record.Target);
    }

    private void Add(JsonEncodedText name, long? value)
    {
        if (value is { } number)
        {
            json.Add(name, number);
        }
    }

    private void AddPlace(string container, string hub, string group, string partition)
    {
        json.Add(JournalFormat.Container, container);
        json.Add(JournalFormat.Hub, hub);
        json.Add(JournalFormat.Group, group);
        json.Add(JournalFormat.Partition, partition);
    }

    private void AddContent(string? sha256, long length, string? contentType)
    {
        json.AddHash(JournalFormat.Sha256, sha256);
        json.Add(JournalFormat.Length, length);
        json.Add(JournalFormat.ContentType, contentType);
    }
}
