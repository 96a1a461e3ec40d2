using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Where a container's writes meet its limits: the memory budget, the disk, and content that was received and is not stored
/// yet. A write that is refused has changed nothing. For the holder of the container's lock.
/// </summary>
internal sealed class ContainerWriter(string name, MemoryBudget budget, ContainerIndex index, ContainerLog? log)
{
    private readonly HashSet<PendingContent> loose = [];

    public bool IsOnDisk => log is not null;

    /// <summary>Writes to the log, if there is one, and takes the memory. What the contents had reserved goes into the cost.</summary>
    /// <param name="cost">What is held in memory from now on.</param>
    /// <param name="contents">What is stored by this.</param>
    /// <param name="write">Appends one record.</param>
    /// <param name="beforeVisible">Called when the record is in the log. What it refuses is taken back.</param>
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

    /// <summary>Puts a piece of content into the log before anything refers to it.</summary>
    public BlobFailure? Keep(ReadOnlyMemory<byte> bytes, PendingContent content)
    {
        var failure = Write(0, [], open => content.Kept(open.Append(bytes)));
        if (failure is null)
        {
            loose.Add(content);
        }

        return failure;
    }

    /// <summary>Lets content go that nobody stored.</summary>
    public void Discard(PendingContent content) => loose.Remove(content);

    /// <summary>Writes the log anew when most of it is dead. Content under way comes along.</summary>
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
