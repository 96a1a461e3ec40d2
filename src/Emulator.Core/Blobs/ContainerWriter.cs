using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Checks the limits of a container's writes: the memory budget, the disk, and content that is received and not yet stored. A refused write changes nothing.
/// The caller holds the container's lock.
/// </summary>
internal sealed class ContainerWriter(string name, MemoryBudget budget, ContainerIndex index, ContainerLog? log)
{
    private readonly HashSet<PendingContent> loose = [];

    public bool IsOnDisk => log is not null;

    /// <summary>Writes to the log, if there is one, and takes the memory. Memory that the contents have reserved is part of the cost.</summary>
    /// <param name="cost">The memory that is held from now on.</param>
    /// <param name="contents">The contents that this write stores.</param>
    /// <param name="write">Appends one record.</param>
    /// <param name="beforeVisible">Called when the record is in the log. If it refuses, the record is removed.</param>
    public BlobFailure? Write(long cost, IReadOnlyList<PendingContent> contents, Action<ContainerLog> write, Func<BlobFailure?>? beforeVisible = null)
    {
        var missing = cost;
        for (var i = 0; i < contents.Count; i++)
        {
            missing -= contents[i].ReservedBytes;
        }

        if (missing > 0 && !budget.TryReserve(missing))
        {
            return BlobFailure.ServerBusy;
        }

        var failure = BlobFailure.InternalError;
        try
        {
            failure = WriteRecord(write, beforeVisible);
        }
        finally
        {
            budget.Release(failure is null ? 0 : Math.Max(0, missing));
        }

        if (failure is not null)
        {
            return failure;
        }

        budget.Release(Math.Max(0, -missing));
        for (var i = 0; i < contents.Count; i++)
        {
            loose.Remove(contents[i]);
            contents[i].Forget();
        }

        return null;
    }

    /// <summary>Stores a piece of content in the log before any record refers to it.</summary>
    public BlobFailure? Keep(ReadOnlyMemory<byte> bytes, PendingContent content)
    {
        var failure = Write(0, [], open => content.Kept(open.Append(bytes)));
        if (failure is null)
        {
            loose.Add(content);
        }

        return failure;
    }

    /// <summary>Releases content that was not stored.</summary>
    public void Discard(PendingContent content) => loose.Remove(content);

    /// <summary>Rewrites the log when most of it is dead. Pending content is carried along.</summary>
    public void RewriteIfDue(ContainerState state)
    {
        if (log?.IsRewriteDue(index.LiveBytes + loose.Sum(static content => content.KeptBytes)) == true)
        {
            log.Rewrite(name, state, index, [.. loose.SelectMany(static content => content.Pieces)]);
        }
    }

    private BlobFailure? WriteRecord(Action<ContainerLog> write, Func<BlobFailure?>? beforeVisible)
    {
        try
        {
            if (log is not null)
            {
                write(log);
            }
        }
        catch (IOException)
        {
            return BlobFailure.DiskRefuses;
        }

        var failure = beforeVisible?.Invoke();
        if (failure is not null)
        {
            log?.Retract();
        }

        return failure;
    }
}
