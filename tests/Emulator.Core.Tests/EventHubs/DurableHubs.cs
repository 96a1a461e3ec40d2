using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.EventHubs;

/// <summary>A registry of hubs over a folder that it can be opened on again.</summary>
public abstract class DurableHubs : IAsyncLifetime
{
    private protected string Folder { get; } = Directory.CreateTempSubdirectory("eht-hubs").FullName;

    private protected VirtualClock Clock { get; } = new();

    public ValueTask InitializeAsync() => ValueTask.CompletedTask;

    public ValueTask DisposeAsync()
    {
        Directory.Delete(Folder, recursive: true);
        GC.SuppressFinalize(this);
        return ValueTask.CompletedTask;
    }

    private protected string[] Segments() => Directory.GetFiles(Path.Combine(Folder, PartitionFiles.Kind));

    private protected void With(Action<EventHubRegistry> use, VirtualClock? clock = null, MemoryBudget? budget = null) =>
        With(
            hubs =>
            {
                use(hubs);
                return 0;
            },
            clock,
            budget
        );

    private protected T With<T>(Func<EventHubRegistry, T> use, VirtualClock? clock = null, MemoryBudget? budget = null)
    {
        using var data = DataDirectory.Open(Folder, SyncPolicy.Never, Clock);
        using var hubs = new EventHubRegistry(budget ?? new MemoryBudget(1 << 30), clock ?? Clock, data);
        return use(hubs);
    }

    private protected static void Append(EventHub hub, int partition, params string[] bodies) =>
        Assert.Equal(AppendVerdict.Appended, hub.Partitions[partition].TryAppend([.. bodies.Select(static body => Encoded.Event(body))], null));

    private protected static List<string> Read(EventHub hub, int partition)
    {
        var events = new StoredEvent[10_000];
        return [.. events.Take(hub.Partitions[partition].Read(0, events)).Select(static stored => Encoded.GetText(AmqpMessage.Decode(stored.Encoded)))];
    }
}
