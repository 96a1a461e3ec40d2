using System.Collections.Concurrent;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>A consumer group as it was created and last changed.</summary>
/// <param name="Name">Its name.</param>
/// <param name="CreatedAt">When it was created.</param>
/// <param name="ChangedAt">When its metadata was last changed.</param>
/// <param name="UserMetadata">A text of the user, without effect. Null if there is none.</param>
internal sealed record ConsumerGroupSettings(string Name, DateTimeOffset CreatedAt, DateTimeOffset ChangedAt, string? UserMetadata = null);

/// <summary>A consumer group of a hub, with the readers of each partition.</summary>
internal sealed class ConsumerGroup(ConsumerGroupSettings settings) : IDisposable
{
    private readonly ConcurrentDictionary<string, PartitionReaders> _rosters = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _deletion = new();
    private ConsumerGroupSettings _settings = settings;

    public string Name { get; } = settings.Name;

    /// <summary>Changed under the gate of the hub.</summary>
    public ConsumerGroupSettings Settings => Volatile.Read(ref _settings);

    /// <summary>Cancelled when the group or its hub is deleted, which ends the links of its readers.</summary>
    public CancellationToken Deleted => _deletion.Token;

    public PartitionReaders GetReaders(string partition) => _rosters.GetOrAdd(partition, static _ => new PartitionReaders());

    public void Change(ConsumerGroupSettings changed) => Volatile.Write(ref _settings, changed);

    /// <summary>Ends the links of its readers.</summary>
    public void EndLinks() => _deletion.Cancel();

    public void Dispose() => _deletion.Dispose();
}
