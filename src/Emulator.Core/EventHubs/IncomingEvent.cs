using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>An event that is about to be appended to a partition.</summary>
internal sealed class IncomingEvent
{
    private readonly string? _partitionKey;
    private readonly ReadOnlyMemory<byte> _others;
    private readonly int _otherCount;

    public IncomingEvent(MessageParts message, string? partitionKey)
    {
        Message = message;
        _partitionKey = partitionKey;
        (_others, _otherCount) = ServiceAnnotations.Others(message.Annotations);
    }

    public MessageParts Message { get; }

    /// <summary>The most bytes that it needs when it is stored.</summary>
    public int LargestLength => Message.Encoded.Length + ServiceAnnotations.LargestLength(_partitionKey, _others.Span);

    /// <summary>Encodes it once for all readers, at the end of a chunk that has room for it.</summary>
    public void Store(EventChunk chunk, long enqueuedMilliseconds)
    {
        var into = chunk.Room;
        var at = Copy(Message.EncodedHeader, into, 0);
        var header = at;
        at = Copy(Message.EncodedDeliveryAnnotations, into, at);
        var deliveryAnnotations = at - header;
        at += ServiceAnnotations.Write(into[at..], chunk.NextSequence, enqueuedMilliseconds, _partitionKey, _others.Span, _otherCount);
        at = Copy(Message.EncodedProperties, into, at);
        at = Copy(Message.EncodedApplicationProperties, into, at);
        foreach (var section in Message.Body)
        {
            at = Copy(section.Encoded, into, at);
        }

        at = Copy(Message.EncodedFooter, into, at);
        chunk.Add(new EventEntry(at, header, deliveryAnnotations, enqueuedMilliseconds));
    }

    private static int Copy(ReadOnlyMemory<byte> part, Span<byte> into, int at)
    {
        part.Span.CopyTo(into[at..]);
        return at + part.Length;
    }
}
