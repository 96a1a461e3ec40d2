using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>Decides whether a subscription gets a message.</summary>
internal abstract class RuleFilter
{
    private protected const ulong SqlCode = 0x13_7000_0006;
    private protected const ulong TrueCode = 0x13_7000_0007;
    private protected const ulong FalseCode = 0x13_7000_0008;
    private protected const ulong CorrelationCode = 0x13_7000_0009;

    /// <exception cref="RuleBudgetException">The rules of the message have used its steps up.</exception>
    public abstract bool Takes(FilteredMessage message);

    /// <summary>As it is listed to clients.</summary>
    public abstract AmqpDescribed Describe();

    /// <exception cref="InvalidDataException">Not what <see cref="Encode"/> wrote.</exception>
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

    /// <summary>With what clients are not told.</summary>
    protected virtual AmqpDescribed DescribeWhole() => Describe();
}

/// <summary>Takes everything or nothing.</summary>
internal sealed class ConstantFilter : RuleFilter
{
    private ConstantFilter(bool takes) => IsTrue = takes;

    public static ConstantFilter True { get; } = new(true);

    public static ConstantFilter False { get; } = new(false);

    public bool IsTrue { get; }

    public override bool Takes(FilteredMessage message) => IsTrue;

    public override AmqpDescribed Describe() => new(IsTrue ? TrueCode : FalseCode, new AmqpList());
}
