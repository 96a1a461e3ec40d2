using System.Collections.Concurrent;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The containers of the account.</summary>
internal sealed class BlobStore(VersionSource versions, MemoryBudget budget, BlobJournal journal, DataDirectory? data, int limit)
{
    /// <summary>Where containers are kept over a restart.</summary>
    public DataDirectory? Data { get; } = data;

    private readonly ConcurrentDictionary<string, StoredContainer> containers = new(StringComparer.Ordinal);

    public BlobFailure? Create(string name, IReadOnlyDictionary<string, string> metadata, out StoredContainer? created)
    {
        created = null;
        if (!BlobNames.IsContainer(name))
        {
            return BlobFailure.InvalidResourceName;
        }

        if (containers.Count >= limit && !containers.ContainsKey(name))
        {
            return BlobFailure.ServerBusy;
        }

        StoredContainer container = new(name, metadata, versions, budget, journal);
        if (!containers.TryAdd(name, container))
        {
            return BlobFailure.ContainerAlreadyExists;
        }

        created = container;
        return null;
    }

    public BlobFailure? Find(string name, out StoredContainer? container)
    {
        if (containers.TryGetValue(name, out container))
        {
            return null;
        }

        return BlobNames.IsContainer(name) ? BlobFailure.ContainerNotFound : BlobFailure.InvalidResourceName;
    }

    public BlobFailure? Delete(string name)
    {
        if (!containers.TryRemove(name, out StoredContainer? container))
        {
            return BlobNames.IsContainer(name) ? BlobFailure.ContainerNotFound : BlobFailure.InvalidResourceName;
        }

        container.MarkDeleted();
        return null;
    }

    /// <summary>The containers in ordinal order of their names.</summary>
    public IEnumerable<StoredContainer> All() => containers.Values.OrderBy(static container => container.Name, StringComparer.Ordinal);
}
