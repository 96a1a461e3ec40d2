using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// One container. Its lock covers the blobs, the log and the journal record of each write, so that all have one order. A write is in the log before it is
/// visible. When the log refuses it, nothing changes.
/// </summary>
internal sealed class StoredContainer
{
    private const int BlockLimit = 50_000;

    private readonly Lock gate = new();
    private readonly VersionSource versions;
    private readonly BlobJournal journal;

    // Guarded by the lock.
    private readonly ContainerIndex index;
    private readonly ContainerWriter writer;
    private bool deleted;

    // Replaced under the lock, read without it.
    private volatile ContainerState state;

    /// <summary>Creates a container. With a log, the state is already in it.</summary>
    public StoredContainer(
        string name,
        ContainerState state,
        VersionSource versions,
        MemoryBudget budget,
        BlobJournal journal,
        ContainerIndex index,
        ContainerLog? log
    )
    {
        Name = name;
        this.state = state;
        this.versions = versions;
        this.journal = journal;
        this.index = index;
        writer = new ContainerWriter(name, budget, index, log);
        IsOnDisk = log is not null;
    }

    public string Name { get; }

    public ContainerState State => state;

    public bool IsOnDisk { get; }

    public DateTimeOffset Now => versions.Now;

    /// <summary>The number of blobs and their bytes.</summary>
    public (int Blobs, long Bytes) Size
    {
        get
        {
            lock (gate)
            {
                return (index.BlobCount, index.ContentBytes);
            }
        }
    }

    public StoredBlob? Find(string blobName)
    {
        lock (gate)
        {
            return index.Find(blobName)?.Blob;
        }
    }

    /// <summary>Collects one page of a list in ordinal order.</summary>
    public BlobPage List(BlobListQuery query)
    {
        lock (gate)
        {
            return index.List(query);
        }
    }

    /// <summary>Stores a whole blob, received as <paramref name="contents"/>. Drops its uncommitted blocks.</summary>
    public BlobFailure? Put(BlobContent content, IReadOnlyList<PendingContent> contents, WriteTerms terms, out StoredBlob? previous, out StoredBlob? stored)
    {
        lock (gate)
        {
            stored = null;
            previous = index.Find(content.Name)?.Blob;
            return Missing() ?? terms.CheckPut(previous, versions.Now) ?? Store(content, contents, previous, out stored);
        }
    }

    /// <summary>Stores the blob that a list of blocks forms. The blocks were looked up before, and the commit fails if one has changed.</summary>
    public BlobFailure? Commit(BlobContent content, IReadOnlyList<BlockReference> list, WriteTerms terms, out StoredBlob? previous, out StoredBlob? stored)
    {
        lock (gate)
        {
            stored = null;
            previous = index.Find(content.Name)?.Blob;
            if ((Missing() ?? terms.CheckPut(previous, versions.Now)) is { } failure)
            {
                return failure;
            }

            return FindBlocks(content.Name, list) is { } blocks && blocks.SequenceEqual(content.Blocks)
                ? Store(content, [], previous, out stored)
                : BlobFailure.BlocksChanged;
        }
    }

    /// <summary>Applies <paramref name="change"/> to the properties. The content stays.</summary>
    public BlobFailure? Change(string blobName, WriteTerms terms, Func<BlobDetails, BlobDetails> change, out StoredBlob? previous, out StoredBlob? stored)
    {
        lock (gate)
        {
            stored = null;
            previous = index.Find(blobName)?.Blob;
            if (previous is null)
            {
                return Missing() ?? BlobFailure.BlobNotFound;
            }

            var now = versions.Now;
            if (terms.CheckChange(previous, now) is { } failure)
            {
                return failure;
            }

            var content = previous.Content with { Details = change(previous.Content.Details) };
            StoredBlob next = new(content, versions.Next(), now, previous.CreatedAt) { Lease = Lease.AfterWrite(previous.Lease, now) };
            var before = previous;
            failure = Replace(next, isNewContent: false, [], () => journal.Stored(Name, before, next));
            stored = failure is null ? next : null;
            return failure;
        }
    }

    public BlobFailure? Delete(string blobName, WriteTerms terms)
    {
        lock (gate)
        {
            if ((Missing() ?? DropStaleBlocks(blobName, versions.Now)) is { } failure)
            {
                return failure;
            }

            if (index.Find(blobName) is not { } slot)
            {
                return BlobFailure.BlobNotFound;
            }

            // Uncommitted blocks are a blob without a version, so conditions and leases do not apply to them.
            return (slot.Blob is { } present ? terms.CheckChange(present, versions.Now) : terms.CheckPut(present: null, versions.Now)) ?? Remove(slot);
        }
    }

    /// <summary>Changes the lease of a blob, which creates no new version.</summary>
    public LeaseOutcome ChangeLease(string blobName, LeaseRequest request, BlobConditions conditions, out StoredBlob? blob)
    {
        lock (gate)
        {
            blob = index.Find(blobName)?.Blob;
            if (blob is null)
            {
                return new LeaseOutcome(Missing() ?? BlobFailure.BlobNotFound, Next: null, TimeLeft: null);
            }

            var outcome = conditions.CheckChange(blob.ETag, blob.LastModified) is { } unmet
                ? new LeaseOutcome(unmet, Next: null, TimeLeft: null)
                : LeaseTransition.Of(blob.Lease, request, versions.Now);
            return outcome.Failure is null ? outcome with { Failure = Replace(blob with { Lease = outcome.Next }, isNewContent: false, []) } : outcome;
        }
    }

    /// <summary>Keeps a block until a list commits it. Permission to create only does not include blocks that would overwrite a blob.</summary>
    public BlobFailure? PutBlock(string blobName, string blockId, PendingContent content, string? leaseId, bool createOnly)
    {
        lock (gate)
        {
            var now = versions.Now;
            var present = index.Find(blobName)?.Blob;
            var failure =
                Missing()
                ?? Lease.CheckWrite(present?.Lease, leaseId, now, LeaseWords.Blob)
                ?? (createOnly && present is not null ? BlobFailure.UnauthorizedOverwrite : null)
                ?? DropStaleBlocks(blobName, now);
            if (failure is not null)
            {
                return failure;
            }

            var slot = index.Find(blobName);
            if (slot is { Uncommitted.Count: > 0 } && GetBytes(slot.Uncommitted.GetAt(0).Key) != GetBytes(blockId))
            {
                return BlobFailure.InvalidBlobOrBlock;
            }

            if (slot?.Uncommitted.Count >= BlockLimit && !slot.Uncommitted.ContainsKey(blockId))
            {
                return BlobFailure.BlockCountExceedsLimit;
            }

            var block = content.ToBlock(blockId);
            failure = writer.Write(index.GetCost(blobName, block), [content], log => log.Append(blobName, block, now));
            if (failure is null)
            {
                index.SetBlock(blobName, block, now);
                RewriteIfDue();
            }

            return failure;
        }
    }

    /// <summary>Finds the listed blocks.</summary>
    public BlobFailure? Resolve(string blobName, IReadOnlyList<BlockReference> list, out BlobBlock[] blocks)
    {
        blocks = [];
        lock (gate)
        {
            if ((Missing() ?? DropStaleBlocks(blobName, versions.Now)) is { } failure)
            {
                return failure;
            }

            if (FindBlocks(blobName, list) is not { } found)
            {
                return BlobFailure.InvalidBlockList;
            }

            blocks = found;
            return null;
        }
    }

    /// <summary>The blob, if there is one, and the uncommitted blocks.</summary>
    public BlobFailure? ListBlocks(string blobName, out StoredBlob? blob, out BlobBlock[] uncommitted)
    {
        lock (gate)
        {
            var failure = Missing() ?? DropStaleBlocks(blobName, versions.Now);
            var slot = index.Find(blobName);
            blob = slot?.Blob;
            uncommitted = [.. slot?.Uncommitted.Values ?? Enumerable.Empty<BlobBlock>()];
            return failure ?? (slot is null ? BlobFailure.BlobNotFound : null);
        }
    }

    /// <summary>Replaces the properties of the container.</summary>
    public BlobFailure? ChangeState(Func<ContainerState, (BlobFailure? Failure, ContainerState Next)> change)
    {
        lock (gate)
        {
            (var failure, var next) = Missing() is { } missing ? (missing, state) : change(state);
            failure ??= writer.Write(0, [], log => log.Append(Name, next));
            if (failure is null)
            {
                state = next;
            }

            return failure;
        }
    }

    /// <summary>Creates a new version of the container's state. See <see cref="ChangeState"/>.</summary>
    public ContainerState NextState(ContainerState present, IReadOnlyDictionary<string, string> metadata) =>
        present with
        {
            Metadata = metadata,
            ETag = versions.Next(),
            LastModified = versions.Now,
        };

    /// <summary>Stores a piece of content in the log before any record refers to it.</summary>
    public BlobFailure? Keep(ReadOnlyMemory<byte> bytes, PendingContent content)
    {
        lock (gate)
        {
            return Missing() ?? writer.Keep(bytes, content);
        }
    }

    /// <summary>Releases content that was not stored.</summary>
    public void Discard(PendingContent content)
    {
        if (!IsOnDisk || content.Pieces.Count == 0)
        {
            return;
        }

        lock (gate)
        {
            writer.Discard(content);
            RewriteIfDue();
        }
    }

    /// <summary>Deletes everything if <paramref name="check"/> agrees. Pending writes then find the container missing.</summary>
    public BlobFailure? MarkDeleted(Func<ContainerState, BlobFailure?> check)
    {
        lock (gate)
        {
            if (check(state) is { } failure)
            {
                return failure;
            }

            deleted = true;
            index.Clear();
            return null;
        }
    }

    // The length of base64 text gives the bytes only without its padding.
    private static int GetBytes(string blockId) => (blockId.Length / 4 * 3) - blockId.AsSpan().Count('=');

    // An empty list creates a blob even if there are no blocks.
    private BlobBlock[]? FindBlocks(string blobName, IReadOnlyList<BlockReference> list) =>
        index.Find(blobName) is { } slot ? slot.Find(list)
        : list.Count == 0 ? []
        : null;

    private BlobFailure? Missing() => deleted ? BlobFailure.ContainerNotFound : null;

    private BlobFailure? Store(BlobContent content, IReadOnlyList<PendingContent> contents, StoredBlob? previous, out StoredBlob? stored)
    {
        var now = versions.Now;
        StoredBlob next = new(content, versions.Next(), now, previous?.CreatedAt ?? now) { Lease = Lease.AfterWrite(previous?.Lease, now) };
        var failure = Replace(next, isNewContent: true, contents, () => journal.Stored(Name, previous, next));
        stored = failure is null ? next : null;
        return failure;
    }

    private BlobFailure? Replace(StoredBlob next, bool isNewContent, IReadOnlyList<PendingContent> contents, Func<BlobFailure?>? beforeVisible = null)
    {
        var failure = writer.Write(index.GetCost(next), contents, log => log.Append(next, isNewContent), beforeVisible);
        if (failure is null)
        {
            index.Set(next, isNewContent);
            RewriteIfDue();
        }

        return failure;
    }

    private BlobFailure? Remove(BlobSlot slot)
    {
        var gone = slot.Blob;
        var failure = writer.Write(0, [], log => log.AppendGone(slot.Name, blocksOnly: false), () => gone is null ? null : journal.Deleted(Name, gone));
        if (failure is null)
        {
            index.Remove(slot);
            RewriteIfDue();
        }

        return failure;
    }

    private BlobFailure? DropStaleBlocks(string blobName, DateTimeOffset now)
    {
        if (index.Find(blobName) is not { } slot || !slot.HasStaleBlocks(now))
        {
            return null;
        }

        var failure = writer.Write(0, [], log => log.AppendGone(blobName, blocksOnly: true));
        if (failure is null)
        {
            index.DropUncommitted(slot);
        }

        return failure;
    }

    private void RewriteIfDue()
    {
        if (!deleted)
        {
            writer.RewriteIfDue(state);
        }
    }
}
