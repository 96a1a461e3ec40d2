using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Writes down what happened to blobs. Does nothing without a journal. What cannot be written down is refused, and one line
/// tells of it until the journal takes records again.
/// </summary>
internal sealed class BlobJournal(JournalWriter? writer, TextWriter diagnostics)
{
    private bool failing;

    /// <summary>Whether the records' hash of the content has a reader.</summary>
    public bool IsKept => writer is not null;

    /// <summary>The version that the journal told last of a container when it was opened. Null when it has none.</summary>
    public string? LastOf(string container) => writer?.Heard.ETagOf(container);

    /// <summary>The same of every container, of those as well that are gone.</summary>
    public IEnumerable<string> Last => writer?.Heard.ETags ?? [];

    /// <summary>Whether that a request has arrived may be written with the next record. See <see cref="Journalling.EmulatorJournal.NotesArrivals"/>.</summary>
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

    /// <summary>A version is about to be visible. Called under the container's lock, when the version is in the container's log.</summary>
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

    /// <summary>A blob is about to be gone. Called like <see cref="Stored"/>. Of checkpoints and ownerships the last one that was stored is told.</summary>
    public BlobFailure? Deleted(string container, StoredBlob gone) =>
        writer is null || gone.Content.Layout is not null ? null : Write(new BlobDeleted(container, gone.Content.Name, gone.ETag));

    /// <summary>
    /// The answer was handed to the socket, and stands even if this cannot be written down. Told of checkpoints: whether a blob was answered
    /// decides nothing, since whoever uploads it again finds it in place.
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
