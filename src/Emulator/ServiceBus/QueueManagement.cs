using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>The requests on a queue's <c>$management</c>.</summary>
internal sealed class QueueManagement(MessageQueue queue)
{
    private const int PeekLimit = 1_000;

    private const string ReasonField = "deadletter-reason";
    private const string DescriptionField = "deadletter-description";
    private const string PropertiesField = "properties-to-modify";

    public Answer Answer(AmqpMessage request)
    {
        var map = request.Body.Value as AmqpMap ?? new AmqpMap();
        return request.ApplicationProperties?.FindString(AmqpNames.Operation) switch
        {
            AmqpNames.RenewLockOperation => RenewLocks(map),
            AmqpNames.PeekMessageOperation => Peek(map),
            AmqpNames.UpdateDispositionOperation => UpdateDispositions(map),
            AmqpNames.ReceiveBySequenceNumberOperation => ReceiveDeferred(map),
            _ => new Answer(501, "The operation is not known here.", ErrorCondition.NotImplemented),
        };
    }

    private static Answer LockLost => new(410, QueueSettlement.LockLostText, AmqpNames.MessageLockLostError);

    private static Answer Invalid(string field) => new(400, $"The request's '{field}' is missing or not understood.", ErrorCondition.InvalidField);

    private static Guid[]? Tokens(AmqpMap map) => ItemsOf(map.Find(AmqpNames.LockTokens))?.OfType<Guid>().ToArray() is { Length: > 0 } tokens ? tokens : null;

    private static IEnumerable<object?>? ItemsOf(object? value) => value switch
    {
        AmqpArray array => array.Items,
        AmqpList list => list,
        _ => null,
    };

    private Answer RenewLocks(AmqpMap map)
    {
        if (Tokens(map) is not { } tokens)
        {
            return Invalid(AmqpNames.LockTokens);
        }

        var expirations = new List<AmqpTimestamp>(tokens.Length);
        foreach (var token in tokens)
        {
            if (queue.Renew(token) is not { } until)
            {
                return LockLost;
            }

            expirations.Add(AmqpTimestamp.From(until));
        }

        return Endpoints.Answer.Ok(new AmqpMap { { AmqpNames.Expirations, AmqpArray.Of(expirations) } });
    }

    private Answer Peek(AmqpMap map)
    {
        var from = map.FindInteger(AmqpNames.FromSequenceNumber) ?? 1;
        var count = Math.Clamp(map.FindInteger(AmqpNames.MessageCount) ?? 1, 1, PeekLimit);
        var messages = new AmqpList();
        foreach (var delivery in queue.Peek(from, (int)count))
        {
            messages.Add(new AmqpMap { { AmqpNames.Message, (ReadOnlyMemory<byte>)delivery.Encode() } });
        }

        return messages.Count == 0
            ? new Answer(204, "No messages.")
            : Endpoints.Answer.Ok(new AmqpMap { { AmqpNames.Messages, messages } });
    }

    private Answer UpdateDispositions(AmqpMap map)
    {
        if (Tokens(map) is not { } tokens)
        {
            return Invalid(AmqpNames.LockTokens);
        }

        var changes = map.Find(PropertiesField) as AmqpMap;
        Func<Guid, bool>? settle = map.FindString(AmqpNames.DispositionStatus) switch
        {
            AmqpNames.DispositionCompleted => queue.Complete,
            AmqpNames.DispositionAbandoned => token => queue.Abandon(token, changes),
            AmqpNames.DispositionDeferred => token => queue.Defer(token, changes),
            AmqpNames.DispositionSuspended => token => queue.DeadLetter(token, DeadLetterInfo(map, changes)),
            _ => null,
        };
        if (settle is null)
        {
            return Invalid(AmqpNames.DispositionStatus);
        }

        // All are tried; one lost lock does not hold the others.
        return tokens.Count(settle) == tokens.Length ? Endpoints.Answer.Ok(new AmqpMap()) : LockLost;
    }

    private static AmqpMap DeadLetterInfo(AmqpMap request, AmqpMap? changes)
    {
        var info = new AmqpMap();
        foreach (var (key, value) in changes ?? [])
        {
            info[key] = value;
        }

        if (request.FindString(ReasonField) is { } reason)
        {
            info[AmqpNames.DeadLetterReason] = reason;
        }

        if (request.FindString(DescriptionField) is { } description)
        {
            info[AmqpNames.DeadLetterErrorDescription] = description;
        }

        return info;
    }

    private Answer ReceiveDeferred(AmqpMap map)
    {
        if (ItemsOf(map.Find("sequence-numbers")) is not { } numbers)
        {
            return Invalid("sequence-numbers");
        }

        var messages = new AmqpList();
        var takes = map.FindInteger("receiver-settle-mode") == 0;
        foreach (var number in numbers)
        {
            if (number is not long sequence || queue.TryLockDeferred(sequence) is not { } delivery)
            {
                return new Answer(404, "A message with this sequence number is not deferred here.", AmqpNames.MessageNotFoundError);
            }

            messages.Add(new AmqpMap { { AmqpNames.Message, (ReadOnlyMemory<byte>)delivery.Encode() }, { "lock-token", delivery.LockToken } });
            if (takes)
            {
                queue.Complete(delivery.LockToken);
            }
        }

        return Endpoints.Answer.Ok(new AmqpMap { { AmqpNames.Messages, messages } });
    }
}
