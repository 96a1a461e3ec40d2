using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Limits;

/// <summary>The limits of one transfer.</summary>
internal sealed record TransferLimits
{
    public const int PartitionKeyCharacters = 128;

    /// <summary>
    /// The most messages or events of a batch, regardless of their size. The services and the official clients limit only its bytes. This number fits a record
    /// of a partition's log, and is more than fit into a MiB.
    /// </summary>
    public const int LargestBatch = 262_144;

    public required int MessageBytes { get; init; }

    /// <summary>Bytes of a batch. A single message may be larger.</summary>
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
    /// A message above the limit, but not above this size, is rejected with a name. Some clients wait for their time-out when the link is detached instead.
    /// </summary>
    public ulong ToleratedBytes => (ulong)MessageBytes * 2;

    public int BatchMessages { get; init; } = LargestBatch;

    /// <summary>Bytes of the encoded properties of one message. Queues have a limit. Event Hubs documents only that of the event.</summary>
    public int PropertiesBytes { get; init; } = int.MaxValue;

    /// <summary>Bytes of one text or binary property.</summary>
    public int PropertyBytes { get; init; } = int.MaxValue;

    /// <summary>Characters of a message-id, or bytes of a binary one. Queues have a limit, hubs ignore it.</summary>
    public int MessageIdCharacters { get; init; } = int.MaxValue;
}
