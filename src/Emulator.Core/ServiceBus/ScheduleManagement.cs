using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Limits;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Requests that schedule messages and cancel them.</summary>
internal sealed class ScheduleManagement(IMessageEntity entity, EndpointContext context)
{
    private readonly TransferLimits _limits = TransferLimits.OfQueue(context.Limits);

    /// <exception cref="Amqp.AmqpException">A message exceeds a limit or cannot be decoded.</exception>
    public Answer Schedule(AmqpMap request)
    {
        if (RequestFields.GetItems<AmqpMap>(request, AmqpNames.Messages) is not { } items)
        {
            return RequestFields.Invalid(AmqpNames.Messages);
        }

        var messages = new List<MessageParts>(items.Count);
        foreach (var item in items)
        {
            if (item.Find(AmqpNames.Message) is not ReadOnlyMemory<byte> encoded)
            {
                return RequestFields.Invalid(AmqpNames.Message);
            }

            messages.AddRange(IncomingTransfer.Read(encoded, messageFormat: 0, _limits).Messages);
        }

        var contents = messages.ConvertAll(MessageContent.Of);
        var ids = contents.ConvertAll(static content => content.MessageId);
        var digests = context.Journal.Digest(messages);
        context.Journal.Begun(entity.Name, ids, connection: null);
        var receipt = entity.Send(contents, receipt => context.Journal.Stored(entity.Name, ids, digests, receipt, connection: null), hops: 0);
        if (receipt is null)
        {
            var refusal = Refusals.MemoryExceeded(context.Budget.LimitBytes);
            return new Answer(403, refusal.Description!, refusal.Condition.Value);
        }

        context.Journal.Answered(entity.Name, ids, receipt, connection: null);
        return Answer.Ok(new AmqpMap { { AmqpNames.SequenceNumbers, AmqpArray.Of(receipt.Sequences) } });
    }

    public Answer Cancel(AmqpMap request)
    {
        if (RequestFields.GetNumbers(request, AmqpNames.SequenceNumbers) is not { } numbers)
        {
            return RequestFields.Invalid(AmqpNames.SequenceNumbers);
        }

        return entity.TryCancelScheduled(numbers)
            ? Answer.Ok(new AmqpMap())
            : new Answer(404, "A message with one of these sequence numbers is not scheduled.", AmqpNames.MessageNotFoundError);
    }
}
