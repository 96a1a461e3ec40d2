namespace EventHubThroughput.Amqp.Codec;

/// <summary>The kinds of message body.</summary>
public enum MessageBodyKind
{
    /// <summary>No body section.</summary>
    None,

    /// <summary>One or more data sections.</summary>
    Data,

    /// <summary>One or more sequence sections.</summary>
    Sequence,

    /// <summary>One value section.</summary>
    Value,
}

/// <summary>The body of a message: data, sequences or one value (AMQP 1.0 part 3, 3.2.6 to 3.2.8).</summary>
public readonly struct MessageBody
{
    private readonly ReadOnlyMemory<byte>[]? _data;
    private readonly AmqpList[]? _sequences;

    private MessageBody(MessageBodyKind kind, ReadOnlyMemory<byte>[]? data, AmqpList[]? sequences, object? value)
    {
        Kind = kind;
        _data = data;
        _sequences = sequences;
        Value = value;
    }

    /// <summary>The kind. None by default.</summary>
    public MessageBodyKind Kind { get; }

    /// <summary>The data sections. Empty for other kinds.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Data => _data ?? [];

    /// <summary>The sequence sections. Empty for other kinds.</summary>
    public IReadOnlyList<AmqpList> Sequences => _sequences ?? [];

    /// <summary>The value. Null for other kinds.</summary>
    public object? Value { get; }

    /// <summary>A body of data sections. The bytes are not copied.</summary>
    public static MessageBody OfData(params ReadOnlyMemory<byte>[] sections) => new(MessageBodyKind.Data, sections, null, null);

    /// <summary>A body of one value.</summary>
    public static MessageBody OfValue(object? value) => new(MessageBodyKind.Value, null, null, value);

    /// <summary>A body of sequence sections.</summary>
    public static MessageBody OfSequence(params AmqpList[] sections) => new(MessageBodyKind.Sequence, null, sections, null);
}
