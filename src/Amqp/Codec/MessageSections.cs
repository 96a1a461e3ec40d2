namespace EventHubThroughput.Amqp.Codec;

/// <summary>One section of an encoded message.</summary>
/// <param name="Code">The kind of section.</param>
/// <param name="Encoded">Descriptor and value, as they were sent.</param>
/// <param name="Value">The encoded value only.</param>
public readonly record struct MessageSection(SectionCode Code, ReadOnlyMemory<byte> Encoded, ReadOnlyMemory<byte> Value);

/// <summary>Splits an encoded message without decoding it, so that its bytes can be passed on unchanged.</summary>
public static class MessageSections
{
    /// <summary>Splits a message into its sections, in the order in which they were sent.</summary>
    /// <returns>The sections. Slices of <paramref name="message"/>.</returns>
    /// <exception cref="AmqpException">The bytes are not sections of a message (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public static IReadOnlyList<MessageSection> Split(ReadOnlyMemory<byte> message)
    {
        var sections = new List<MessageSection>(4);
        while (TryTake(ref message, out var section))
        {
            sections.Add(section);
        }

        return sections;
    }

    /// <summary>Removes the first section from the rest of a message.</summary>
    /// <param name="rest">The rest of the message. Afterwards it begins after the section.</param>
    /// <param name="section">The section. A slice of <paramref name="rest"/>.</param>
    /// <returns>False when the rest is empty.</returns>
    /// <exception cref="AmqpException">The bytes are not sections of a message (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public static bool TryTake(ref ReadOnlyMemory<byte> rest, out MessageSection section)
    {
        if (rest.IsEmpty)
        {
            section = default;
            return false;
        }

        var reader = new AmqpReader(rest);
        var code = ReadCode(ref reader);
        var valueStart = reader.Position;
        reader.SkipValue();
        section = new MessageSection(code, rest[..reader.Position], rest[valueStart..reader.Position]);
        rest = rest[reader.Position..];
        return true;
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
            : throw AmqpException.Decode($"The descriptor 0x{descriptor:x} is not a section of a message.");
    }
}
