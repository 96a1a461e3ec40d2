using EventHubThroughput.Events;

namespace PumpedProcessor;

/// <summary>Takes the place of the output of an example: writes what <c>verify</c> judges.</summary>
internal static class JudgedWrites
{
    private static readonly EventWrites Writes = EventWrites.FromEnvironment();

    private static readonly string Hub = Setting.Of("EVENTHUB_NAME");

    public static async Task WriteAsync(ReceivedEvent received) =>
        await Writes.WriteAsync(
            Hub,
            received.PartitionId,
            received.SequenceNumber,
            BinaryData.FromBytes(received.Body),
            received.ContentType,
            received.Properties.Select(static one => KeyValuePair.Create(one.Key, one.Value!)),
            CancellationToken.None
        );
}
