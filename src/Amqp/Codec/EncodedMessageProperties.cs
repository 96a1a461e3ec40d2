namespace EventHubThroughput.Amqp.Codec;

/// <summary>
/// The properties section of a message (AMQP 1.0 part 3, 3.2.4) that stays encoded. Each search reads it up to the wanted field, and creates only that one.
/// </summary>
/// <param name="Encoded">The encoded list of the section. Empty for no section.</param>
public readonly record struct EncodedMessageProperties(ReadOnlyMemory<byte> Encoded)
{
    // Positions in the list.
    private const int MessageId = 0;
    private const int CorrelationId = 5;
    private const int ContentType = 6;

    /// <summary>Whether the message or what it belongs to has an identifier. None is decoded.</summary>
    /// <exception cref="AmqpException">The bytes up to the field are not a list (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public bool HasIdentifier => IsPresent(MessageId) || IsPresent(CorrelationId);

    /// <summary>The message's identifier: a string, ulong, <see cref="Guid"/> or binary. Null when absent.</summary>
    /// <exception cref="AmqpException">The bytes are not a list, or the field is not an identifier (<see cref="AmqpErrorScope.Decode"/>).</exception>
    public object? FindMessageId() => TryEnter(MessageId, out var reader) ? MessageProperties.Identifier(reader.NextValue()) : null;

    /// <summary>What the message belongs to: a string, ulong, <see cref="Guid"/> or binary. Null when absent.</summary>
    /// <exception cref="AmqpException">
    /// The bytes up to the field are not a list, or the field is not an identifier (<see cref="AmqpErrorScope.Decode"/>).
    /// </exception>
    public object? FindCorrelationId() => TryEnter(CorrelationId, out var reader) ? MessageProperties.Identifier(reader.NextValue()) : null;

    /// <summary>The media type of a data body. Null when absent.</summary>
    /// <exception cref="AmqpException">
    /// The bytes up to the field are not a list, or the field is not a symbol (<see cref="AmqpErrorScope.Decode"/>).
    /// </exception>
    public string? FindContentType() => TryEnter(ContentType, out var reader) ? reader.NextSymbol()?.Value : null;

    private bool IsPresent(int field) => TryEnter(field, out var reader) && reader.IsNextPresent();

    private bool TryEnter(int field, out AmqpReader reader)
    {
        reader = new AmqpReader(Encoded);
        if (Encoded.IsEmpty)
        {
            return false;
        }

        reader.BeginFields();
        reader.PassFields(field);
        return true;
    }
}
