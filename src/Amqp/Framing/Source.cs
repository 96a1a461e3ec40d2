using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Where the messages of a link come from (AMQP 1.0 part 3, 3.5.3).</summary>
public sealed record Source : AmqpComposite
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

    /// <summary>Whether messages are moved or copied to the link.</summary>
    public AmqpSymbol? DistributionMode { get; init; }

    /// <summary>Which messages are wanted: names (symbols) to described values.</summary>
    public AmqpMap? Filter { get; init; }

    /// <summary>The outcome of deliveries that end without one.</summary>
    public DeliveryState? DefaultOutcome { get; init; }

    /// <summary>The outcomes that may be used.</summary>
    public AmqpSymbol[]? Outcomes { get; init; }

    /// <summary>The extensions of the source.</summary>
    public AmqpSymbol[]? Capabilities { get; init; }

    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Source);
        writer.Field(Address);
        writer.Field(Durable == 0 ? null : Durable);
        writer.Field(ExpiryPolicy);
        writer.Field(Timeout == 0 ? null : Timeout);
        writer.Flag(Dynamic);
        writer.Field(DynamicNodeProperties);
        writer.Field(DistributionMode);
        writer.Field(Filter);
        writer.Field(DefaultOutcome);
        writer.Field(Outcomes);
        writer.Field(Capabilities);
        writer.EndComposite(mark);
    }

    internal static Source? DecodeField(ref AmqpReader reader)
    {
        if (!reader.TryNextDescribed(out var descriptor))
        {
            return null;
        }

        Descriptor.Expect(Descriptor.Source, descriptor);
        var mark = reader.BeginFields();
        var source = new Source
        {
            Address = reader.NextString(),
            Durable = reader.NextUInt() ?? 0,
            ExpiryPolicy = reader.NextSymbol(),
            Timeout = reader.NextUInt() ?? 0,
            Dynamic = reader.NextFlag(),
            DynamicNodeProperties = reader.NextMap(),
            DistributionMode = reader.NextSymbol(),
            Filter = reader.NextMap(),
            DefaultOutcome = DeliveryState.DecodeField(ref reader),
            Outcomes = reader.NextSymbols(),
            Capabilities = reader.NextSymbols(),
        };
        reader.EndFields(mark);
        return source;
    }
}
