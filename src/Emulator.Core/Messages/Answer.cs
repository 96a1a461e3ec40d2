using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>The answer to a request on <c>$cbs</c> or <c>$management</c>.</summary>
internal sealed record Answer(int Status, string Description, string? Condition = null, AmqpMap? Body = null)
{
    public static Answer Ok(AmqpMap? body = null) => new(200, "OK", null, body);

    /// <summary>Writes both spellings, because each kind of client requires a different one. The code is an int, because one client casts it.</summary>
    public ReadOnlyMemory<byte> Encode(object? correlationId)
    {
        var status = new AmqpMap
        {
            { AmqpNames.StatusCode, Status },
            { AmqpNames.StatusDescription, Description },
            { AmqpNames.ServiceBusStatusCode, Status },
            { AmqpNames.ServiceBusStatusDescription, Description },
        };
        if (Condition is not null)
        {
            var condition = new AmqpSymbol(Condition);
            status.Add(AmqpNames.ErrorConditionName, condition);
            status.Add(AmqpNames.ServiceBusErrorCondition, condition);
        }

        return new AmqpMessage
        {
            Properties = new MessageProperties { CorrelationId = correlationId },
            ApplicationProperties = status,
            Body = MessageBody.OfValue(Body),
        }.Encode();
    }
}
