using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Applies a receiver's outcome to a locked message, and creates the answer.</summary>
internal static class QueueSettlement
{
    public static DeliveryState Apply(MessageQueue queue, Guid token, DeliveryState? outcome)
    {
        if (outcome is TransactionalState)
        {
            return NoTransactions;
        }

        try
        {
            var held = outcome switch
            {
                Accepted => queue.Complete(token),
                Modified { UndeliverableHere: true } modified => queue.Defer(token, modified.MessageAnnotations),
                Modified modified => queue.Abandon(token, modified.MessageAnnotations),
                Rejected rejected when queue.DeadLetters is not null => queue.DeadLetter(token, DeadLetterInfo(rejected.Error)),

                // The outcome is refused, which ends the delivery, so the message is returned unchanged.
                Released or Rejected => queue.Release(token),

                // Settled without a state, on a link without a default outcome: the message may not be complete.
                _ => queue.Abandon(token, null),
            };
            return !held ? LockLost
                : outcome is Rejected && queue.DeadLetters is null ? NoSecondDeath
                : AnswerTo(outcome);
        }
        catch (IOException)
        {
            return NotWritten;
        }
    }

    /// <summary>The name in the journal.</summary>
    public static string GetName(DeliveryState? outcome) =>
        outcome switch
        {
            Accepted => "complete",
            Modified { UndeliverableHere: true } => "defer",
            Rejected => "dead-letter",
            Released => "release",
            _ => "abandon",
        };

    public static string LockLostText => "The lock supplied is invalid. Either the lock expired, or the message has already been removed from the queue.";

    public const string NoSecondDeathText = "A message of a dead-letter queue cannot be dead-lettered.";

    // The lock is still valid, so the client may try again.
    public static Rejected NotWritten { get; } =
        new(new AmqpError(ErrorCondition.InternalError, "The settlement could not be written to the emulator's disk."));

    // The outcome is applied, so there is nothing to retry.
    public static Rejected NotJournalled { get; } =
        new(new AmqpError(ErrorCondition.InternalError, "The message is settled, but the emulator's journal could not be written."));

    // The lock is still valid.
    private static Rejected NoTransactions { get; } = new(Refusals.NotSupported("Transactions are"));

    private static Rejected NoSecondDeath { get; } = new(new AmqpError(ErrorCondition.NotAllowed, NoSecondDeathText));

    private static Rejected LockLost { get; } = new(new AmqpError(AmqpNames.MessageLockLostError, LockLostText));

    // The same outcome, as from the service, because Java's client takes another one as a refusal. Only a refusal has an error.
    private static DeliveryState AnswerTo(DeliveryState? outcome) =>
        outcome switch
        {
            Modified => new Modified(),
            Rejected => new Rejected(Error: null),
            Released => Released.Instance,
            _ => Accepted.Instance,
        };

    // Clients send reason and description in the info map. Errors of other peers have their condition and description.
    private static AmqpMap? DeadLetterInfo(AmqpError? error)
    {
        if (error is null || error.Info?.Find(AmqpNames.DeadLetterReason) is not null || error.Condition.Value == AmqpNames.DeadLetterError)
        {
            return error?.Info;
        }

        var info = new AmqpMap { { AmqpNames.DeadLetterReason, error.Condition.Value } };
        if (error.Description is not null)
        {
            info.Add(AmqpNames.DeadLetterErrorDescription, error.Description);
        }

        return info;
    }
}
