using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Writes the journal records of blobs. Does nothing without a journal. A request that cannot be recorded is refused. One line reports the failure until the
/// journal accepts records again.
/// </summary>
internal sealed class BlobJournal(JournalWriter? writer, TextWriter diagnostics)
{
    private bool failing;

    /// <summary>Whether the hash of the content is needed for records.</summary>
    public bool IsKept => writer is not null;

    /// <summary>The latest version in the journal of a container when it was opened. Null when there is none.</summary>
    public string? GetLast(string container) => writer?.LastRecorded.GetETag(container);

    /// <summary>The latest version of every container in the journal, including deleted ones.</summary>
    public IEnumerable<string> Last => writer?.LastRecorded.ETags ?? [];

    /// <summary>Whether an arrival may be written with the next record. See <see cref="Journalling.EmulatorJournal.NotesArrivals"/>.</summary>
    public bool NotesArrivals { get; init; }

    /// <summary>The whole request has been received.</summary>
    public BlobFailure? Begun(string container, BlobContent content)
    {
        if (writer is null || content.Layout is not null)
        {
            return null;
        }

        var begun = new BlobWritten(WriteMoment.Begun, container, content.Name, content.Sha256, content.Length, null, null, null, false);
        if (!NotesArrivals)
        {
            return Write(begun);
        }

        writer.Note([begun]);
        return null;
    }

    /// <summary>Records a version before it is visible. Called under the container's lock, when the version is in the container's log.</summary>
    public BlobFailure? Stored(string container, StoredBlob? previous, StoredBlob stored) =>
        writer is null
            ? null
            : Write(
                stored.Content.Layout switch
                {
                    null => BlobRecord.OfStored(container, stored, previous is not null),
                    { Kind: CheckpointBlobKind.Checkpoint } parts => Checkpoint(WriteMoment.Stored, container, parts, previous, stored),
                    { } parts => new OwnershipWritten(
                        container,
                        parts.Hub,
                        parts.Group,
                        parts.Partition,
                        Value(stored, "ownerid") ?? string.Empty,
                        previous?.ETag,
                        stored.ETag
                    ),
                }
            );

    /// <summary>
    /// Records a blob before it is deleted. Called like <see cref="Stored"/>. For checkpoints and ownerships the last stored version is recorded.
    /// </summary>
    public BlobFailure? Deleted(string container, StoredBlob gone) =>
        writer is null || gone.Content.Layout is not null ? null : Write(new BlobDeleted(container, gone.Content.Name, gone.ETag));

    /// <summary>
    /// Records an answer after it was written to the socket. The answer remains valid even if this record fails. Only checkpoints are recorded. The record
    /// decides nothing, because a client that uploads the blob again finds it in place.
    /// </summary>
    public void Answered(string container, StoredBlob? previous, StoredBlob stored)
    {
        if (writer is not null && stored.Content.Layout is { Kind: CheckpointBlobKind.Checkpoint } parts)
        {
            writer.Note([Checkpoint(WriteMoment.Answered, container, parts, previous, stored)]);
        }
    }

    private BlobFailure? Write(JournalRecord record)
    {
        try
        {
            writer!.Write(record);
            Volatile.Write(ref failing, false);
            return null;
        }
        catch (IOException exception)
        {
            if (!Interlocked.Exchange(ref failing, true))
            {
                diagnostics.WriteLine($"error: blobs are refused: {exception.Message}");
            }

            return BlobFailure.JournalRefuses;
        }
    }

    private static CheckpointWritten Checkpoint(WriteMoment moment, string container, CheckpointBlobParts parts, StoredBlob? previous, StoredBlob stored) =>
        new(
            moment,
            container,
            parts.Hub,
            parts.Group,
            parts.Partition,
            Value(stored, "offset"),
            Value(stored, "sequencenumber"),
            Value(stored, "clientidentifier"),
            previous?.ETag,
            stored.ETag
        );

    private static string? Value(StoredBlob blob, string name) => blob.Content.Metadata.GetValueOrDefault(name);
}
