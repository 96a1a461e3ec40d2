using System.Globalization;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>
/// One event of a partition, encoded once for all readers: <c>[header][delivery annotations of the sender][everything else]</c>. A reader that requests the
/// runtime metric gets its delivery annotations between header and rest.
/// </summary>
internal readonly record struct StoredEvent(
    long Sequence,
    long EnqueuedMilliseconds,
    ReadOnlyMemory<byte> Encoded,
    int HeaderLength,
    int DeliveryAnnotationsLength
)
{
    /// <summary>Opaque to clients. Here it is the text of the sequence number.</summary>
    public string Offset => Positions.GetOffset(Sequence);

    public ReadOnlyMemory<byte> WithDeliveryAnnotations(AmqpMap annotations)
    {
        var own = Encoded.Slice(HeaderLength, DeliveryAnnotationsLength);
        var merged = own.IsEmpty ? annotations : Sections.Merge(AmqpMessage.Decode(own).DeliveryAnnotations, annotations);
        return Sections.Join(Encoded[..HeaderLength], Sections.OfDeliveryAnnotations(merged), Encoded[(HeaderLength + DeliveryAnnotationsLength)..]);
    }
}

/// <summary>The text form of positions.</summary>
internal static class Positions
{
    public static string GetOffset(long sequence) => sequence.ToString(CultureInfo.InvariantCulture);
}
