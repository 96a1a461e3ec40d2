using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp.Codec;

/// <summary>An error as detach, end, close and rejected carry it (AMQP 1.0 part 2, 2.8.14).</summary>
/// <param name="Condition">A symbol that names the condition: one of <see cref="ErrorCondition"/>, or one that a service defines.</param>
/// <param name="Description">Text for people. Never a secret.</param>
/// <param name="Info">More about the condition.</param>
public sealed record AmqpError(AmqpSymbol Condition, string? Description = null, AmqpMap? Info = null) : AmqpComposite
{
    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.Error);
        writer.Field(Condition);
        writer.Field(Description);
        writer.Field(Info);
        writer.EndComposite(mark);
    }

    internal static AmqpError Decode(ref AmqpReader reader)
    {
        var mark = reader.BeginFields();
        var error = new AmqpError(AmqpReader.Mandatory(reader.NextSymbol(), "error.condition"), reader.NextString(), reader.NextMap());
        reader.EndFields(mark);
        return error;
    }

    internal static AmqpError? DecodeField(ref AmqpReader reader)
    {
        if (!reader.TryNextDescribed(out var descriptor))
        {
            return null;
        }

        Descriptor.Expect(Descriptor.Error, descriptor);
        return Decode(ref reader);
    }
}
