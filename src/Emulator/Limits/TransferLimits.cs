using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Limits;

/// <summary>How much one transfer may bring.</summary>
internal sealed record TransferLimits
{
    public const int PartitionKeyCharacters = 128;

    /// <summary>
    /// Events in a batch for a hub. Official clients fill one by its bytes alone, with events as small as they come; this is what a
    /// record of a partition's log may hold.
    /// </summary>
    public const int LargestHubBatch = 65_536;

    public required int MessageBytes { get; init; }

    public static TransferLimits OfHub(EmulatorLimits limits) =>
        new()
        {
            MessageBytes = limits.HubMessageBytes,
            BatchMessages = LargestHubBatch,
            PropertiesBytes = limits.PropertiesBytes,
            PropertyBytes = limits.PropertyBytes,
        };

    public static TransferLimits OfQueue(EmulatorLimits limits) =>
        OfHub(limits) with
        {
            MessageBytes = limits.QueueMessageBytes,
            BatchMessages = limits.BatchMessages,
            MessageIdCharacters = 128,
        };

    /// <summary>
    /// A message that is larger than allowed, but no more than this, is rejected by name; clients were seen to wait for their
    /// time-out when they lose the link over it.
    /// </summary>
    public ulong ToleratedBytes => (ulong)MessageBytes * 2;

    public int BatchMessages { get; init; } = 4_500;

    /// <summary>Of one message, encoded.</summary>
    public int PropertiesBytes { get; init; } = 64 * 1024;

    /// <summary>Of one text or binary among them.</summary>
    public int PropertyBytes { get; init; } = 32 * 1024;

    /// <summary>Of a message-id, or bytes of a binary one; queues have a limit, hubs do not look at it.</summary>
    public int MessageIdCharacters { get; init; } = int.MaxValue;
}
