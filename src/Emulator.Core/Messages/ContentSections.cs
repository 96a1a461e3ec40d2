using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>The sections of a message that a queue keeps, encoded. Absent sections are empty.</summary>
internal sealed record ContentSections(
    ReadOnlyMemory<byte> Header,
    ReadOnlyMemory<byte> Annotations,
    ReadOnlyMemory<byte> Properties,
    ReadOnlyMemory<byte> ApplicationProperties,
    ReadOnlyMemory<byte> Body,
    ReadOnlyMemory<byte> Footer
)
{
    public int Length => Header.Length + Annotations.Length + Properties.Length + ApplicationProperties.Length + Body.Length + Footer.Length;

    public static ContentSections Of(MessageParts message) =>
        new(
            message.EncodedHeader,
            message.EncodedMessageAnnotations,
            message.EncodedProperties,
            message.EncodedApplicationProperties,
            Sections.JoinBody(message.Body),
            message.EncodedFooter
        );

    /// <summary>Joins the sections in the order of a message.</summary>
    public byte[] Encode() => Sections.Join(Header, Annotations, Properties, ApplicationProperties, Body, Footer);

    /// <summary>Copies the sections into a separate array.</summary>
    public ContentSections Copy()
    {
        ReadOnlyMemory<byte> rest = Encode();
        return new ContentSections(
            Take(Header.Length),
            Take(Annotations.Length),
            Take(Properties.Length),
            Take(ApplicationProperties.Length),
            Take(Body.Length),
            rest
        );

        ReadOnlyMemory<byte> Take(int length)
        {
            var taken = rest[..length];
            rest = rest[length..];
            return taken;
        }
    }

    public MessageHeader? DecodeHeader() => Header.IsEmpty ? null : AmqpMessage.Decode(Header).Header;

    public AmqpMap? DecodeAnnotations() => Annotations.IsEmpty ? null : AmqpMessage.Decode(Annotations).MessageAnnotations;

    public MessageProperties? DecodeProperties() => Properties.IsEmpty ? null : AmqpMessage.Decode(Properties).Properties;

    public AmqpMap? DecodeApplicationProperties() => ApplicationProperties.IsEmpty ? null : AmqpMessage.Decode(ApplicationProperties).ApplicationProperties;
}
