using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>The state of a delivery that belongs to a transaction (AMQP 1.0 part 4, 4.5.8).</summary>
/// <param name="TransactionId">The identifier of the transaction.</param>
/// <param name="Outcome">The outcome of the delivery if the transaction succeeds.</param>
public sealed record TransactionalState(ReadOnlyMemory<byte> TransactionId, DeliveryState? Outcome) : DeliveryState
{
    internal override void Encode(ref AmqpWriter writer)
    {
        var mark = writer.BeginComposite(Descriptor.TransactionalState);
        writer.Field((ReadOnlyMemory<byte>?)TransactionId);
        writer.Field(Outcome);
        writer.EndComposite(mark);
    }

    internal static TransactionalState DecodeFields(ref AmqpReader reader)
    {
        var id = AmqpReader.Mandatory(reader.NextBinary(), "transactional-state.txn-id");
        return new TransactionalState(id, DecodeField(ref reader));
    }
}
