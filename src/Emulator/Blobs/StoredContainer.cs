using System.Globalization;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>One container. Its lock covers the blobs and the journal's record of each write, so that both have one order.</summary>
internal sealed class StoredContainer(
    string name, IReadOnlyDictionary<string, string> metadata, VersionSource versions, MemoryBudget budget, BlobJournal journal)
{
    private const int BlockLimit = 50_000;

    private readonly Lock gate = new();

    // All under the lock.
    private readonly Dictionary<string, StoredBlob> blobs = new(StringComparer.Ordinal);
    private readonly SortedSet<string> names = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Dictionary<string, byte[]>> uncommitted = new(StringComparer.Ordinal);
    private bool deleted;

    public string Name { get; } = name;

    public IReadOnlyDictionary<string, string> Metadata { get; } = metadata;

    public string ETag { get; } = versions.Next();

    public DateTimeOffset LastModified { get; } = versions.Now;

    public string LastModifiedText => LastModified.ToString("R", CultureInfo.InvariantCulture);

    public StoredBlob? Find(string blobName)
    {
        lock (gate)
        {
            return blobs.GetValueOrDefault(blobName);
        }
    }

    /// <summary>Stores a whole blob whose bytes are already reserved; its uncommitted blocks are dropped.</summary>
    public BlobFailure? Put(BlobContent content, BlobConditions conditions, out StoredBlob? previous, out StoredBlob? stored)
    {
        lock (gate)
        {
            stored = null;
            previous = blobs.GetValueOrDefault(content.Name);
            if (deleted)
            {
                return BlobFailure.ContainerNotFound;
            }

            if (conditions.CheckPut(previous) is { } failure)
            {
                return failure;
            }

            if (!budget.TryReserve(content.Extra))
            {
                return BlobFailure.ServerBusy;
            }

            DateTimeOffset now = versions.Now;
            stored = new StoredBlob(content, versions.Next(), now, previous?.CreatedAt ?? now);
            journal.Stored(Name, previous, stored);
            blobs[content.Name] = stored;
            names.Add(content.Name);
            budget.Release(previous?.Footprint ?? 0);
            DropBlocks(content.Name);
            return null;
        }
    }

    /// <summary>Replaces the metadata and nothing else.</summary>
    public BlobFailure? SetMetadata(
        string blobName, IReadOnlyDictionary<string, string> values, BlobConditions conditions, out StoredBlob? previous, out StoredBlob? stored)
    {
        lock (gate)
        {
            stored = null;
            previous = blobs.GetValueOrDefault(blobName);
            if (previous is null)
            {
                return deleted ? BlobFailure.ContainerNotFound : BlobFailure.BlobNotFound;
            }

            if (conditions.CheckChange(previous) is { } failure)
            {
                return failure;
            }

            BlobContent content = previous.Content with { Metadata = values };
            if (!budget.TryReserve(content.Extra))
            {
                return BlobFailure.ServerBusy;
            }

            stored = new StoredBlob(content, versions.Next(), versions.Now, previous.CreatedAt);
            journal.Stored(Name, previous, stored);
            blobs[blobName] = stored;
            budget.Release(previous.Content.Extra);
            return null;
        }
    }

    public BlobFailure? Delete(string blobName, BlobConditions conditions)
    {
        lock (gate)
        {
            if (!blobs.TryGetValue(blobName, out StoredBlob? present))
            {
                return deleted ? BlobFailure.ContainerNotFound : BlobFailure.BlobNotFound;
            }

            if (conditions.CheckChange(present) is { } failure)
            {
                return failure;
            }

            blobs.Remove(blobName);
            names.Remove(blobName);
            budget.Release(present.Footprint);
            return null;
        }
    }

    /// <summary>Keeps a block, whose bytes are already reserved, until a list commits it.</summary>
    public BlobFailure? PutBlock(string blobName, string blockId, byte[] bytes)
    {
        lock (gate)
        {
            if (deleted)
            {
                return BlobFailure.ContainerNotFound;
            }

            if (!uncommitted.TryGetValue(blobName, out Dictionary<string, byte[]>? blocks))
            {
                uncommitted[blobName] = blocks = new(StringComparer.Ordinal);
            }

            if (blocks.Count > 0 && blocks.Keys.First().Length != blockId.Length)
            {
                return BlobFailure.InvalidBlobOrBlock;
            }

            if (blocks.Count >= BlockLimit && !blocks.ContainsKey(blockId))
            {
                return BlobFailure.BlockCountExceedsLimit;
            }

            budget.Release(blocks.TryGetValue(blockId, out byte[]? old) ? old.Length : 0);
            blocks[blockId] = bytes;
            return null;
        }
    }

    /// <summary>Puts the listed blocks together; the caller owns the reservation of the bytes.</summary>
    public BlobFailure? Assemble(string blobName, IReadOnlyList<BlockReference> list, long limit, out byte[] bytes, out CommittedBlock[] blocks)
    {
        bytes = [];
        blocks = new CommittedBlock[list.Count];
        lock (gate)
        {
            ReadOnlyMemory<byte>[] parts = new ReadOnlyMemory<byte>[list.Count];
            long total = 0;
            for (int i = 0; i < list.Count; i++)
            {
                if (!TryFindBlock(blobName, list[i], out parts[i]))
                {
                    return BlobFailure.InvalidBlockList;
                }

                blocks[i] = new CommittedBlock(list[i].Id, (int)Math.Min(total, int.MaxValue), parts[i].Length);
                total += parts[i].Length;
            }

            if (total > limit)
            {
                return BlobFailure.BodyTooLarge;
            }

            if (!budget.TryReserve(total))
            {
                return BlobFailure.ServerBusy;
            }

            bytes = GC.AllocateUninitializedArray<byte>((int)total);
            for (int i = 0; i < parts.Length; i++)
            {
                parts[i].CopyTo(bytes.AsMemory(blocks[i].Offset));
            }

            return null;
        }
    }

    /// <summary>Collects one page of a list in ordinal order.</summary>
    public BlobPage List(BlobListQuery query)
    {
        BlobPage page = new(query);
        lock (gate)
        {
            if (names.Count == 0)
            {
                return page;
            }

            string from = string.CompareOrdinal(query.From, query.Prefix) > 0 ? query.From : query.Prefix;
            string? seek = from;
            while (seek is not null && string.CompareOrdinal(seek, names.Max) <= 0)
            {
                seek = Fill(page, seek);
            }
        }

        return page;
    }

    /// <summary>Takes everything away; writes under way find the container gone.</summary>
    public void MarkDeleted()
    {
        lock (gate)
        {
            deleted = true;
            budget.Release(blobs.Values.Sum(static blob => blob.Footprint));
            foreach (string blobName in uncommitted.Keys.ToArray())
            {
                DropBlocks(blobName);
            }

            blobs.Clear();
            names.Clear();
        }
    }

    // Returns where to go on behind a common prefix; null at the end of the page or of the names.
    private string? Fill(BlobPage page, string seek)
    {
        foreach (string blobName in names.GetViewBetween(seek, names.Max!))
        {
            switch (page.Add(blobName, blobs[blobName]))
            {
                case BlobPageStep.Done:
                    return null;
                case BlobPageStep.SkipPrefix:
                    return page.BehindLastPrefix;
                default:
                    break;
            }
        }

        return null;
    }

    private bool TryFindBlock(string blobName, BlockReference reference, out ReadOnlyMemory<byte> bytes)
    {
        bytes = default;
        if (reference.Uncommitted && uncommitted.TryGetValue(blobName, out Dictionary<string, byte[]>? blocks)
            && blocks.TryGetValue(reference.Id, out byte[]? block))
        {
            bytes = block;
            return true;
        }

        if (!reference.Committed || !blobs.TryGetValue(blobName, out StoredBlob? stored))
        {
            return false;
        }

        foreach (CommittedBlock committed in stored.Content.Blocks)
        {
            if (committed.Id == reference.Id)
            {
                bytes = stored.Content.Bytes.Slice(committed.Offset, committed.Length);
                return true;
            }
        }

        return false;
    }

    private void DropBlocks(string blobName)
    {
        if (uncommitted.Remove(blobName, out Dictionary<string, byte[]>? blocks))
        {
            budget.Release(blocks.Values.Sum(static block => (long)block.Length));
        }
    }
}
