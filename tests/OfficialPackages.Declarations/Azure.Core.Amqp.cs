namespace Azure.Core.Amqp;

[ReadFrom("Azure.Core.Amqp", "1.3.1")]
public class AmqpAnnotatedMessage
{
    public AmqpAnnotatedMessage(AmqpMessageBody body) => throw null!;

    public BinaryData ToBytes() => throw null!;

    public static AmqpAnnotatedMessage FromBytes(BinaryData messageBytes) => throw null!;

    public IDictionary<string, object?> MessageAnnotations
    {
        get => throw null!;
    }

    public IDictionary<string, object?> ApplicationProperties
    {
        get => throw null!;
    }

    public AmqpMessageBody Body
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Core.Amqp", "1.3.1")]
public class AmqpMessageBody
{
    internal AmqpMessageBody() => throw null!;

    public static AmqpMessageBody FromData(IEnumerable<ReadOnlyMemory<byte>> data) => throw null!;

    public bool TryGetData(out IEnumerable<ReadOnlyMemory<byte>>? data) => throw null!;
}
