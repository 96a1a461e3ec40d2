using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>How a message is settled, in both forms: as an outcome on the link that delivered it, and as a request about its lock.</summary>
/// <param name="State">The outcome on the link.</param>
/// <param name="Status">The disposition status of the request.</param>
internal sealed record MessageDisposition(DeliveryState State, string Status)
{
    // The limit of the SDKs for a reason that the service keeps.
    private const int LongestReason = 4_096;

    public static MessageDisposition Complete { get; } = new(Accepted.Instance, AmqpNames.DispositionCompleted);

    /// <summary>The further fields of the request.</summary>
    public IReadOnlyList<(string Field, object Value)> RequestFields { get; private init; } = [];

    public static MessageDisposition Abandon(IReadOnlyDictionary<string, object?>? propertiesToModify) =>
        new(new Modified { MessageAnnotations = GetAnnotations(propertiesToModify) }, AmqpNames.DispositionAbandoned)
        {
            RequestFields = GetFields(propertiesToModify),
        };

    public static MessageDisposition Defer(IReadOnlyDictionary<string, object?>? propertiesToModify) =>
        new(new Modified { UndeliverableHere = true, MessageAnnotations = GetAnnotations(propertiesToModify) }, AmqpNames.DispositionDeferred)
        {
            RequestFields = GetFields(propertiesToModify),
        };

    public static MessageDisposition DeadLetter(string reason, string? description)
    {
        ThrowIfTooLong(reason, nameof(reason));
        ThrowIfTooLong(description, nameof(description));
        var info = new AmqpMap { { new AmqpSymbol(AmqpNames.DeadLetterReason), reason } };
        List<(string, object)> fields = [(AmqpNames.DispositionReason, reason)];
        if (description is not null)
        {
            info.Add(new AmqpSymbol(AmqpNames.DeadLetterErrorDescription), description);
            fields.Add((AmqpNames.DispositionDescription, description));
        }

        return new MessageDisposition(new Rejected(new AmqpError(AmqpNames.DeadLetterError, Info: info)), AmqpNames.DispositionSuspended)
        {
            RequestFields = fields,
        };
    }

    // Annotations of a message have symbols as keys (AMQP 1.0 part 3, 3.2.10).
    private static AmqpMap? GetAnnotations(IReadOnlyDictionary<string, object?>? properties) =>
        properties is { Count: > 0 } ? PlainProperties.ToMap(properties, static name => new AmqpSymbol(name)) : null;

    private static IReadOnlyList<(string Field, object Value)> GetFields(IReadOnlyDictionary<string, object?>? properties) =>
        properties is { Count: > 0 } ? [(AmqpNames.PropertiesToModify, PlainProperties.ToMap(properties, static name => name))] : [];

    private static void ThrowIfTooLong(string? text, string what)
    {
        if (text?.Length > LongestReason)
        {
            throw new MessagingException(FailureKind.Permanent, $"{what} of {text.Length:N0} characters, allowed up to {LongestReason:N0}");
        }
    }
}
