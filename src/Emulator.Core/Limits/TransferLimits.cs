using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Limits;

/// <summary>How much one transfer may bring.</summary>
internal sealed record TransferLimits
{
    public const int PartitionKeyCharacters = 128;

    /// <summary>
    /// Messages or events of a batch, however small they are. The services count its bytes alone, and so do official clients. This is what a record of a
    /// partition's log may hold, and more than fit into a MiB.
    /// </summary>
    public const int LargestBatch = 262_144;

    public required int MessageBytes { get; init; }

    /// <summary>Of a batch. A single message may be larger.</summary>
    public required int BatchBytes { get; init; }

    public static TransferLimits OfHub(EmulatorLimits limits) => new() { MessageBytes = limits.HubMessageBytes, BatchBytes = limits.HubMessageBytes };

    public static TransferLimits OfQueue(EmulatorLimits limits) =>
        new()
        {
            MessageBytes = limits.QueueMessageBytes,
            BatchBytes = Math.Min(limits.BatchBytes, limits.QueueMessageBytes),
            PropertiesBytes = limits.PropertiesBytes,
            PropertyBytes = limits.PropertyBytes,
            MessageIdCharacters = 128,
        };

    /// <summary>
    /// A message that is larger than allowed, but no more than this, is rejected by name. Clients were seen to wait for their
    /// time-out when they lose the link over it.
    /// </summary>
    public ulong ToleratedBytes => (ulong)MessageBytes * 2;

    public int BatchMessages { get; init; } = LargestBatch;

    /// <summary>Of one message, encoded. Queues have a limit. The documented limits of Event Hubs name none but that of the event.</summary>
    public int PropertiesBytes { get; init; } = int.MaxValue;

    /// <summary>Of one text or binary among them.</summary>
    public int PropertyBytes { get; init; } = int.MaxValue;

    /// <summary>Of a message-id, or bytes of a binary one. Queues have a limit, hubs do not look at it.</summary>
    public int MessageIdCharacters { get; init; } = int.MaxValue;
}
