using System.Collections.Frozen;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>The requests on the <c>$management</c> node of a queue, a topic, a subscription or a dead-letter queue.</summary>
/// <param name="target">The entity that messages are sent to and scheduled at. Null for one that only receives.</param>
/// <param name="queue">The queue to receive from or to peek.</param>
/// <param name="subscription">The subscription whose rules can be changed. Null for all others.</param>
/// <param name="context">Limits, and the journal of sent messages.</param>
internal sealed class EntityRequests(IMessageEntity? target, MessageQueue queue, Subscription? subscription, EndpointContext context)
{
    private readonly QueueManagement _queue = new(queue, context.Journal);
    private readonly ScheduleManagement? _schedule = target is null ? null : new ScheduleManagement(target, context);
    private readonly RuleManagement? _rules = subscription is null ? null : new RuleManagement(subscription);

    private const string SessionId = "session-id";

    // The supported members of each operation's map. Any other could change the operation, and is refused.
    private static readonly FrozenDictionary<string, string[]> Fields = new Dictionary<string, string[]>
    {
        [AmqpNames.RenewLockOperation] = [AmqpNames.LockTokens],
        [AmqpNames.PeekMessageOperation] = [AmqpNames.FromSequenceNumber, AmqpNames.MessageCount, QueueManagement.OmitBodyField],
        [AmqpNames.UpdateDispositionOperation] =
        [
            AmqpNames.LockTokens,
            AmqpNames.DispositionStatus,
            AmqpNames.DispositionReason,
            AmqpNames.DispositionDescription,
            AmqpNames.PropertiesToModify,
        ],
        [AmqpNames.ReceiveBySequenceNumberOperation] = [AmqpNames.SequenceNumbers, AmqpNames.RequestedSettleMode],
        [AmqpNames.ScheduleMessageOperation] = [AmqpNames.Messages],
        [AmqpNames.CancelScheduledMessageOperation] = [AmqpNames.SequenceNumbers],
        [AmqpNames.AddRuleOperation] = [RuleManagement.NameField, RuleManagement.DescriptionField],
        [AmqpNames.RemoveRuleOperation] = [RuleManagement.NameField],
        [AmqpNames.EnumerateRulesOperation] = ["skip", "top"],
    }.ToFrozenDictionary(StringComparer.Ordinal);

    public Answer Answer(AmqpMessage request)
    {
        if (queue.Deleted.IsCancellationRequested)
        {
            return new Answer(404, Refusals.EntityNotFoundText(queue.Name), ErrorCondition.NotFound);
        }

        var map = request.Body.Value as AmqpMap ?? new AmqpMap();
        var operation = request.ApplicationProperties?.FindString(AmqpNames.Operation);
        if (Unknown(map, operation) is { } unknown)
        {
            return unknown == SessionId ? NoSessions : RequestFields.Unknown(unknown);
        }

        return operation switch
        {
            AmqpNames.RenewLockOperation => _queue.RenewLocks(map),
            AmqpNames.PeekMessageOperation => _queue.Peek(map),
            AmqpNames.UpdateDispositionOperation => _queue.UpdateDispositions(map),
            AmqpNames.ReceiveBySequenceNumberOperation => _queue.ReceiveDeferred(map),
            AmqpNames.ScheduleMessageOperation when _schedule is not null => _schedule.Schedule(map),
            AmqpNames.CancelScheduledMessageOperation when _schedule is not null => _schedule.Cancel(map),
            AmqpNames.AddRuleOperation when _rules is not null => _rules.Add(map),
            AmqpNames.RemoveRuleOperation when _rules is not null => _rules.Remove(map),
            AmqpNames.EnumerateRulesOperation when _rules is not null => _rules.List(map),
            not null when operation.Contains("session", StringComparison.Ordinal) => NoSessions,
            _ => new Answer(501, $"The operation '{operation}' is not supported here.", ErrorCondition.NotImplemented),
        };
    }

    private static Answer NoSessions => new(400, Refusals.NoSessions.Description!, ErrorCondition.NotAllowed);

    private static string? Unknown(AmqpMap map, string? operation) =>
        operation is not null && Fields.TryGetValue(operation, out var known) ? RequestFields.GetUnknown(map, known) : null;
}
