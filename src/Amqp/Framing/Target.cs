using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Where the messages of a link go to (AMQP 1.0 part 3, 3.5.4).</summary>
public sealed record Target : AmqpComposite
{
    /// <summary>The node's address.</summary>
    public string? Address { get; init; }

    /// <summary>What of the terminus is durable: 0 nothing, 1 its configuration, 2 its unsettled state too.</summary>
    public uint Durable { get; init; }

    /// <summary>When the terminus expires. With the session when null.</summary>
    public AmqpSymbol? ExpiryPolicy { get; init; }

    /// <summary>How long an expiring terminus is kept, in seconds.</summary>
    public uint Timeout { get; init; }

    /// <summary>True to ask for a node made for this link.</summary>
    public bool Dynamic { get; init; }

    /// <summary>Properties of such a node.</summary>
    public AmqpMap? DynamicNodeProperties { get; init; }

    /// <summary>True for the coordinator of transactions (part 4, 4.5.1), which has capabilities and nothing else.</summary>
    public bool IsCoordinator { get; init; }

    /// <summary>The extensions of the target.</summary>
    public AmqpSymbol[]? Capabilities { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        if (IsCoordinator)
        {
            var coordinator = writer.BeginComposite(Descriptor.Coordinator);
            writer.Field(Capabilities);
            writer.EndComposite(coordinator);
            return;
        }

        var mark = writer.BeginComposite(Descriptor.Target);
        writer.Field(Address);
        writer.Field(Durable == 0 ? null : Durable);
        writer.Field(ExpiryPolicy);
        writer.Field(Timeout == 0 ? null : Timeout);
        writer.Flag(Dynamic);
        writer.Field(DynamicNodeProperties);
        writer.Field(Capabilities);
        writer.EndComposite(mark);
    }

    internal static Target? DecodeField(ref AmqpReader reader)
    {
        if (!reader.TryNextDescribed(out var descriptor))
        {
            return null;
        }

        if (descriptor == Descriptor.Coordinator)
        {
            var fields = reader.BeginFields();
            var coordinator = new Target { IsCoordinator = true, Capabilities = reader.NextSymbols() };
            reader.EndFields(fields);
            return coordinator;
        }

        Descriptor.Expect(Descriptor.Target, descriptor);
        var mark = reader.BeginFields();
        var target = new Target
        {
            Address = reader.NextString(),
            Durable = reader.NextUInt() ?? 0,
            ExpiryPolicy = reader.NextSymbol(),
            Timeout = reader.NextUInt() ?? 0,
            Dynamic = reader.NextFlag(),
            DynamicNodeProperties = reader.NextMap(),
            Capabilities = reader.NextSymbols(),
        };
        reader.EndFields(mark);
        return target;
    }
}
