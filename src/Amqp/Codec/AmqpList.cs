namespace EventHubThroughput.Amqp.Codec;

/// <summary>A list: values of any types (AMQP 1.0 part 1, 1.6.22).</summary>
public sealed class AmqpList : List<object?>
{
    /// <summary>Creates an empty list.</summary>
    public AmqpList() { }

    /// <summary>Creates a list of values.</summary>
    public AmqpList(IEnumerable<object?> values)
        : base(values) { }

    internal AmqpList(int capacity)
        : base(capacity) { }
}
