using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Writes down what happened to blobs; does nothing without a journal.</summary>
internal sealed class BlobJournal(JournalWriter? writer)
{
    /// <summary>Whether the records' hash of the content has a reader.</summary>
    public bool IsKept => writer is not null;

    /// <summary>The whole request has been received.</summary>
    public void Begun(string container, BlobContent content)
    {
        if (content.Layout is null)
        {
            writer?.Write(Record(WriteMoment.Begun, container, content, etag: null, overwrote: false));
        }
    }

    /// <summary>A version is about to be visible; called under the container's lock, when the version is in the container's log.</summary>
    public void Stored(string container, StoredBlob? previous, StoredBlob stored)
    {
        if (writer is null)
        {
            return;
        }

        writer.Write(stored.Content.Layout switch
        {
            null => Record(WriteMoment.Stored, container, stored.Content, stored.ETag, previous is not null),
            { Kind: CheckpointBlobKind.Checkpoint } parts => Checkpoint(WriteMoment.Stored, container, parts, previous, stored),
            { } parts => new OwnershipWritten(
                container, parts.Hub, parts.Group, parts.Partition, Value(stored, "ownerid") ?? string.Empty, previous?.ETag, stored.ETag),
        });
    }

    /// <summary>The answer was handed to the socket.</summary>
    public void Answered(string container, StoredBlob? previous, StoredBlob stored)
    {
        switch (stored.Content.Layout)
        {
            case null:
                writer?.Write(Record(WriteMoment.Answered, container, stored.Content, stored.ETag, previous is not null));
                break;
            case { Kind: CheckpointBlobKind.Checkpoint } parts:
                writer?.Write(Checkpoint(WriteMoment.Answered, container, parts, previous, stored));
                break;
            default:
                break;
        }
    }

    private static BlobWritten Record(WriteMoment moment, string container, BlobContent content, string? etag, bool overwrote) =>
        new(
            moment, container, content.Name, content.Sha256, content.Length, content.Headers.ContentType,
            content.Metadata.Count == 0 ? null : content.Metadata, etag, overwrote);

    private static CheckpointWritten Checkpoint(
        WriteMoment moment, string container, CheckpointBlobParts parts, StoredBlob? previous, StoredBlob stored) =>
        new(
            moment, container, parts.Hub, parts.Group, parts.Partition, Value(stored, "offset"), Value(stored, "sequencenumber"),
            Value(stored, "clientidentifier"), previous?.ETag, stored.ETag);

    private static string? Value(StoredBlob blob, string name) => blob.Content.Metadata.GetValueOrDefault(name);
}
