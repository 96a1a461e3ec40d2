using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>Decides whether a subscription receives a message.</summary>
internal abstract class RuleFilter
{
    private protected const ulong SqlCode = 0x13_7000_0006;
    private protected const ulong TrueCode = 0x13_7000_0007;
    private protected const ulong FalseCode = 0x13_7000_0008;
    private protected const ulong CorrelationCode = 0x13_7000_0009;

    /// <exception cref="RuleBudgetException">The rules of the message have used up its steps.</exception>
    public abstract bool Takes(FilteredMessage message);

    /// <summary>The description that clients receive.</summary>
    public abstract AmqpDescribed Describe();

    /// <exception cref="InvalidDataException">The bytes were not written by <see cref="Encode"/>.</exception>
    public static RuleFilter Decode(ReadOnlyMemory<byte> encoded) =>
        AmqpMessage.Decode(encoded).Body.Value switch
        {
            AmqpDescribed { Descriptor: TrueCode } => ConstantFilter.True,
            AmqpDescribed { Descriptor: FalseCode } => ConstantFilter.False,
            AmqpDescribed { Descriptor: SqlCode, Value: AmqpList fields } => SqlFilter.Of(fields),
            AmqpDescribed { Descriptor: CorrelationCode, Value: AmqpList fields } => CorrelationFilter.Of(fields),
            _ => throw new InvalidDataException("a filter of an unknown kind"),
        };

    public byte[] Encode() =>
        new AmqpMessage { Body = MessageBody.OfValue(DescribeWhole()) }
            .Encode()
            .ToArray();

    /// <summary>The description with the parts that clients do not receive.</summary>
    protected virtual AmqpDescribed DescribeWhole() => Describe();
}

/// <summary>Accepts everything or nothing.</summary>
internal sealed class ConstantFilter : RuleFilter
{
    private ConstantFilter(bool takes) => IsTrue = takes;

    public static ConstantFilter True { get; } = new(true);

    public static ConstantFilter False { get; } = new(false);

    public bool IsTrue { get; }

    public override bool Takes(FilteredMessage message) => IsTrue;

    public override AmqpDescribed Describe() => new(IsTrue ? TrueCode : FalseCode, new AmqpList());
}
