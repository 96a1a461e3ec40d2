using EventHubThroughput.Events;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>Events that are as they were, except for their bytes.</summary>
internal static class ChangedBody
{
    public static ReceivedEvent Of(ReceivedEvent received, ReadOnlyMemory<byte> body) =>
        new()
        {
            PartitionId = received.PartitionId,
            SequenceNumber = received.SequenceNumber,
            Offset = received.Offset,
            Body = body,
            ContentType = received.ContentType,
            EncodedProperties = received.EncodedProperties,
        };
}
