namespace EventHubThroughput.Amqp.Codec;

/// <summary>The header section of a message (AMQP 1.0 part 3, 3.2.1).</summary>
public sealed record MessageHeader : AmqpComposite
{
    /// <summary>True when the message must not be lost. False when null.</summary>
    public bool? Durable { get; init; }

    /// <summary>The priority. 4 when null.</summary>
    public byte? Priority { get; init; }

    /// <summary>Time to live in milliseconds. Without end when null.</summary>
    public uint? Ttl { get; init; }

    /// <summary>True when no other link has had the message. False when null.</summary>
    public bool? FirstAcquirer { get; init; }

    /// <summary>Earlier attempts that failed. 0 when null, but 0 is written when it is given.</summary>
    public uint? DeliveryCount { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite((ulong)SectionCode.Header);
        writer.Field(Durable);
        writer.Field(Priority);
        writer.Field(Ttl);
        writer.Field(FirstAcquirer);
        writer.Field(DeliveryCount);
        writer.EndComposite(mark);
    }

    internal static MessageHeader Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var header = new MessageHeader
        {
            Durable = reader.NextBool(),
            Priority = reader.NextUByte(),
            Ttl = reader.NextUInt(),
            FirstAcquirer = reader.NextBool(),
            DeliveryCount = reader.NextUInt(),
        };
        reader.EndFields(mark);
        return header;
    }
}
