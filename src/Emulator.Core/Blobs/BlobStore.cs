using System.Collections.Concurrent;
using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The containers of the account. With a data directory they include those of an earlier run.</summary>
internal sealed class BlobStore
{
    private const string LogKind = "containers";

    private readonly VersionSource versions;
    private readonly MemoryBudget budget;
    private readonly BlobJournal journal;
    private readonly DataDirectory? data;
    private readonly int limit;

    // Held while containers are created and deleted, so that no log is opened while it is being removed.
    private readonly Lock gate = new();
    private readonly ConcurrentDictionary<string, StoredContainer> containers = new(StringComparer.Ordinal);

    /// <exception cref="EmulatorException">A log is damaged or cannot be read, or the journal cannot be written.</exception>
    public BlobStore(VersionSource versions, MemoryBudget budget, BlobJournal journal, DataDirectory? data, int limit)
    {
        this.versions = versions;
        this.budget = budget;
        this.journal = journal;
        this.data = data;
        this.limit = limit;

        // A container with the same name may be created again, and the clock may have been set back. A new version must not look already recorded.
        foreach (var etag in journal.Last)
        {
            versions.Pass(etag);
        }

        foreach (var name in data?.GetNames(LogKind) ?? [])
        {
            if (Recover(data!, name) is { } container)
            {
                containers[name] = container;
            }
        }
    }

    public BlobJournal Journal => journal;

    public BlobFailure? Create(string name, IReadOnlyDictionary<string, string> metadata, out StoredContainer? created)
    {
        created = null;
        if (BlobNames.CheckNewContainer(name) is { } refused)
        {
            return refused;
        }

        lock (gate)
        {
            if (containers.ContainsKey(name))
            {
                return BlobFailure.ContainerAlreadyExists;
            }

            if (containers.Count >= limit)
            {
                return BlobFailure.ServerBusy;
            }

            try
            {
                containers[name] = created = Make(name, new ContainerState(metadata, versions.Next(), versions.Now));
                return null;
            }
            catch (Exception exception) when (exception is IOException or EmulatorException)
            {
                data!.DeleteLog(LogKind, name);
                return BlobFailure.DiskRefuses;
            }
        }
    }

    public BlobFailure? Find(string name, out StoredContainer? container)
    {
        if (containers.TryGetValue(name, out container))
        {
            return null;
        }

        return BlobNames.CheckContainer(name) ?? BlobFailure.ContainerNotFound;
    }

    /// <summary>Deletes a container regardless of its content and leases.</summary>
    public BlobFailure? Delete(string name) => Delete(name, static _ => null);

    /// <summary>Deletes a container with its content, if <paramref name="check"/> agrees.</summary>
    public BlobFailure? Delete(string name, Func<ContainerState, BlobFailure?> check)
    {
        lock (gate)
        {
            if ((Find(name, out var container) ?? container!.MarkDeleted(check)) is { } failure)
            {
                return failure;
            }

            containers.TryRemove(name, out _);
            data?.DeleteLog(LogKind, name);
            return null;
        }
    }

    /// <summary>The containers in ordinal order of their names.</summary>
    public IEnumerable<StoredContainer> All() => containers.Values.OrderBy(static container => container.Name, StringComparer.Ordinal);

    private StoredContainer Make(string name, ContainerState state)
    {
        var log = data is null ? null : new ContainerLog(data.OpenLog(LogKind, name, static _ => { }));
        log?.Append(name, state);
        return new StoredContainer(name, state, versions, budget, journal, new ContainerIndex(budget, onDisk: log is not null), log);
    }

    private StoredContainer? Recover(DataDirectory directory, string name)
    {
        ContainerIndex index = new(budget, onDisk: true);
        ContainerRecovery recovery = new(name, index, versions, budget, journal);
        ContainerLog log = new(directory.OpenLog(LogKind, name, recovery.Replay));
        if (recovery.State is not { } state)
        {
            directory.DeleteLog(LogKind, name);
            return null;
        }

        recovery.Complete(log);
        if (recovery.ReportUnacknowledged() is { } failure)
        {
            throw new EmulatorException(EmulatorErrorKind.NotWritable, $"container '{name}': {failure.Message}");
        }

        return new StoredContainer(name, state, versions, budget, journal, index, log);
    }
}
