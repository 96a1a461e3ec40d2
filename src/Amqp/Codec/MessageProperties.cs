namespace EventHubThroughput.Amqp.Codec;

/// <summary>The properties section of a message (AMQP 1.0 part 3, 3.2.4).</summary>
public sealed record MessageProperties : AmqpComposite
{
    /// <summary>The message's identifier: a string, ulong, <see cref="Guid"/> or binary.</summary>
    public object? MessageId { get; init; }

    /// <summary>The identity of the user that created the message.</summary>
    public ReadOnlyMemory<byte>? UserId { get; init; }

    /// <summary>The address of the node that the message is for.</summary>
    public string? To { get; init; }

    /// <summary>The subject of the message.</summary>
    public string? Subject { get; init; }

    /// <summary>The address of the node for replies.</summary>
    public string? ReplyTo { get; init; }

    /// <summary>What the message belongs to: a string, ulong, <see cref="Guid"/> or binary.</summary>
    public object? CorrelationId { get; init; }

    /// <summary>The media type of a data body.</summary>
    public string? ContentType { get; init; }

    /// <summary>The encoding applied to a data body.</summary>
    public string? ContentEncoding { get; init; }

    /// <summary>When the message expires.</summary>
    public AmqpTimestamp? AbsoluteExpiryTime { get; init; }

    /// <summary>When the message was created.</summary>
    public AmqpTimestamp? CreationTime { get; init; }

    /// <summary>The group of the message.</summary>
    public string? GroupId { get; init; }

    /// <summary>The position of the message in its group.</summary>
    public uint? GroupSequence { get; init; }

    /// <summary>The group for replies.</summary>
    public string? ReplyToGroupId { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite((ulong)SectionCode.Properties);
        writer.ValueField(MessageId);
        writer.Field(UserId);
        writer.Field(To);
        writer.Field(Subject);
        writer.Field(ReplyTo);
        writer.ValueField(CorrelationId);
        writer.SymbolField(ContentType);
        writer.SymbolField(ContentEncoding);
        writer.Field(AbsoluteExpiryTime);
        writer.Field(CreationTime);
        writer.Field(GroupId);
        writer.Field(GroupSequence);
        writer.Field(ReplyToGroupId);
        writer.EndComposite(mark);
    }

    internal static MessageProperties Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var properties = new MessageProperties
        {
            MessageId = Identifier(reader.NextValue()),
            UserId = reader.NextBinary(),
            To = reader.NextString(),
            Subject = reader.NextString(),
            ReplyTo = reader.NextString(),
            CorrelationId = Identifier(reader.NextValue()),
            ContentType = reader.NextSymbol()?.Value,
            ContentEncoding = reader.NextSymbol()?.Value,
            AbsoluteExpiryTime = reader.NextTimestamp(),
            CreationTime = reader.NextTimestamp(),
            GroupId = reader.NextString(),
            GroupSequence = reader.NextUInt(),
            ReplyToGroupId = reader.NextString(),
        };
        reader.EndFields(mark);
        return properties;
    }

    internal static object? Identifier(object? value) =>
        value is null or string or ulong or Guid or ReadOnlyMemory<byte>
            ? value
            : throw AmqpException.Decode("A message identifier is a string, ulong, uuid or binary.");
}
