namespace EventHubThroughput.Amqp.Codec;

/// <summary>One section of an encoded message.</summary>
/// <param name="Code">Which section.</param>
/// <param name="Encoded">Descriptor and value, as they were sent.</param>
/// <param name="Value">The encoded value only.</param>
public readonly record struct MessageSection(SectionCode Code, ReadOnlyMemory<byte> Encoded, ReadOnlyMemory<byte> Value);

/// <summary>Takes an encoded message apart without decoding it, so that bytes can be passed on as they came.</summary>
public static class MessageSections
{
    /// <summary>Splits a message into its sections, in the order in which they were sent.</summary>
    /// <returns>The sections; slices of <paramref name="message"/>.</returns>
    /// <exception cref="AmqpException">The bytes are not sections of a message (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public static IReadOnlyList<MessageSection> Split(ReadOnlyMemory<byte> message)
    {
        var sections = new List<MessageSection>(4);
        var reader = new AmqpReader(message);
        while (!reader.End)
        {
            var start = reader.Position;
            var code = ReadCode(ref reader);
            var valueStart = reader.Position;
            reader.SkipValue();
            sections.Add(new MessageSection(code, message[start..reader.Position], message[valueStart..reader.Position]));
        }

        return sections;
    }

    /// <summary>The content of a data section, not copied.</summary>
    /// <exception cref="AmqpException">The section's value is not a binary (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public static ReadOnlyMemory<byte> BinaryOf(MessageSection dataSection)
    {
        var reader = new AmqpReader(dataSection.Value);
        return reader.ReadBinary();
    }

    internal static SectionCode ReadCode(ref AmqpReader reader)
    {
        var descriptor = reader.ReadDescriptor();
        return descriptor is >= (ulong)SectionCode.Header and <= (ulong)SectionCode.Footer
            ? (SectionCode)descriptor
            : throw AmqpException.Decode($"The descriptor 0x{descriptor:x} is no section of a message.");
    }
}
