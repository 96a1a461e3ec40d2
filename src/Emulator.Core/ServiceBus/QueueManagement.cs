using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Requests about the messages of a queue: locks, outcomes and peeking.</summary>
internal sealed class QueueManagement(MessageQueue queue, EmulatorJournal journal)
{
    private const int PeekLimit = 1_000;

    // A page of a peek ends when it is larger than this. The client requests the next one.
    private const int PeekBytes = 1024 * 1024;

    // The limit of deferred messages in one request, because none of them may be omitted. A single message always fits.
    private const long DeferredBytes = 8 * 1024 * 1024;

    private const string DeadLetterOutcome = "dead-letter";
    public const string OmitBodyField = "omit-message-body";

    private static Answer LockLost => new(410, QueueSettlement.LockLostText, AmqpNames.MessageLockLostError);

    public Answer RenewLocks(AmqpMap request)
    {
        if (RequestFields.GetItems<Guid>(request, AmqpNames.LockTokens) is not { } tokens)
        {
            return RequestFields.Invalid(AmqpNames.LockTokens);
        }

        return queue.Renew(tokens) is { } until
            ? Answer.Ok(new AmqpMap { { AmqpNames.Expirations, AmqpArray.Of(Enumerable.Repeat(AmqpTimestamp.From(until), tokens.Count)) } })
            : LockLost;
    }

    public Answer Peek(AmqpMap request)
    {
        var from = request.FindInteger(AmqpNames.FromSequenceNumber) ?? 1;
        var count = Math.Clamp(request.FindInteger(AmqpNames.MessageCount) ?? 1, 1, PeekLimit);
        var messages = new AmqpList();
        var bytes = 0;
        var withBody = request.Find(OmitBodyField) is not true;
        foreach (var delivery in queue.Peek(from, (int)count))
        {
            var encoded = delivery.Encode(withBody);
            messages.Add(new AmqpMap { { AmqpNames.Message, (ReadOnlyMemory<byte>)encoded } });
            bytes += encoded.Length;
            if (bytes >= PeekBytes)
            {
                break;
            }
        }

        return messages.Count == 0 ? new Answer(204, "No messages.") : Answer.Ok(new AmqpMap { { AmqpNames.Messages, messages } });
    }

    public Answer UpdateDispositions(AmqpMap request)
    {
        if (RequestFields.GetItems<Guid>(request, AmqpNames.LockTokens) is not { } tokens)
        {
            return RequestFields.Invalid(AmqpNames.LockTokens);
        }

        var changes = request.Find(AmqpNames.PropertiesToModify) as AmqpMap;
        (Func<Guid, bool> Settle, string Name)? outcome = request.FindString(AmqpNames.DispositionStatus) switch
        {
            AmqpNames.DispositionCompleted => (queue.Complete, "complete"),
            AmqpNames.DispositionAbandoned => (token => queue.Abandon(token, changes), "abandon"),
            AmqpNames.DispositionDeferred => (token => queue.Defer(token, changes), "defer"),
            AmqpNames.DispositionSuspended => (token => queue.DeadLetter(token, DeadLetterInfo(request, changes)), DeadLetterOutcome),
            _ => null,
        };
        if (outcome is not { } settlement)
        {
            return RequestFields.Invalid(AmqpNames.DispositionStatus);
        }

        if (settlement.Name == DeadLetterOutcome && queue.DeadLetters is null)
        {
            return new Answer(400, QueueSettlement.NoSecondDeathText, ErrorCondition.NotAllowed);
        }

        // All are tried. A lost lock does not stop the others.
        return tokens.Count(token => Settle(token, settlement.Settle, settlement.Name)) == tokens.Count ? Answer.Ok(new AmqpMap()) : LockLost;
    }

    public Answer ReceiveDeferred(AmqpMap request)
    {
        if (RequestFields.GetNumbers(request, AmqpNames.SequenceNumbers) is not { } numbers)
        {
            return RequestFields.Invalid(AmqpNames.SequenceNumbers);
        }

        if (numbers.Count > 1 && queue.GetBytes(numbers) is var bytes and > DeferredBytes)
        {
            return new Answer(
                400,
                $"The {numbers.Count} deferred messages have {bytes} bytes, more than the {DeferredBytes} that one answer holds: request fewer.",
                ErrorCondition.MessageSizeExceeded
            );
        }

        if (queue.TryLockDeferred(numbers) is not { } deliveries)
        {
            return new Answer(404, "A message with one of these sequence numbers is not deferred here.", AmqpNames.MessageNotFoundError);
        }

        var messages = new AmqpList();
        var takes = request.FindInteger(AmqpNames.RequestedSettleMode) == 0;
        foreach (var delivery in deliveries)
        {
            journal.Delivered(queue.Name, delivery.Content.MessageId, delivery.Sequence, "$management");
            messages.Add(new AmqpMap { { AmqpNames.Message, (ReadOnlyMemory<byte>)delivery.Encode() }, { AmqpNames.DeferredLockToken, delivery.LockToken } });
            if (takes)
            {
                Settle(delivery.LockToken, queue.Complete, "complete");
            }
        }

        return Answer.Ok(new AmqpMap { { AmqpNames.Messages, messages } });
    }

    private bool Settle(Guid token, Func<Guid, bool> settle, string outcome)
    {
        var message = journal.IsOn ? queue.FindLocked(token) : null;
        if (!settle(token))
        {
            return false;
        }

        if (message is { } settled)
        {
            journal.Settled(queue.Name, settled, outcome, link: null);
        }

        return true;
    }

    private static AmqpMap DeadLetterInfo(AmqpMap request, AmqpMap? changes)
    {
        var info = new AmqpMap();
        foreach (var (key, value) in changes ?? [])
        {
            info[key] = value;
        }

        if (request.FindString(AmqpNames.DispositionReason) is { } reason)
        {
            info[AmqpNames.DeadLetterReason] = reason;
        }

        if (request.FindString(AmqpNames.DispositionDescription) is { } description)
        {
            info[AmqpNames.DeadLetterErrorDescription] = description;
        }

        return info;
    }
}
