using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>The contents and activity of the emulator at one moment.</summary>
internal sealed record Statistics
{
    public required TimeSpan Uptime { get; init; }

    /// <summary>Open connections by endpoint.</summary>
    public required IReadOnlyList<(string Endpoint, int Count)> Connections { get; init; }

    public required long UsedBytes { get; init; }

    public required long LimitBytes { get; init; }

    public required IReadOnlyList<HubStatistics> Hubs { get; init; }

    public required IReadOnlyList<QueueStatistics> Queues { get; init; }

    public required IReadOnlyList<TopicStatistics> Topics { get; init; }

    public required IReadOnlyList<ContainerStatistics> Containers { get; init; }

    public required string Profile { get; init; }

    /// <summary>Operations that occurred, with the requested and the observed latency.</summary>
    public required IReadOnlyList<ObservedLatency> Latency { get; init; }

    /// <summary>Armed faults, with the number of matches and hits.</summary>
    public required IReadOnlyList<ArmedFault> Faults { get; init; }

    public string? Journal { get; init; }

    public string? Data { get; init; }
}

/// <summary>The contents of a hub.</summary>
internal sealed record HubStatistics(string Name, int Partitions, long Events, long Bytes)
{
    public static HubStatistics Of(EventHub hub)
    {
        var states = hub.Partitions.Select(static partition => partition.State).ToList();
        return new HubStatistics(hub.Name, states.Count, states.Sum(static state => state.Count), states.Sum(static state => state.Bytes));
    }
}

/// <summary>The contents of a container.</summary>
internal sealed record ContainerStatistics(string Name, int Blobs, long Bytes)
{
    public static ContainerStatistics Of(StoredContainer container)
    {
        var (blobs, bytes) = container.Size;
        return new ContainerStatistics(container.Name, blobs, bytes);
    }
}
