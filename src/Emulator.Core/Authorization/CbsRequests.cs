using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>Accepts tokens on <c>$cbs</c>.</summary>
internal sealed class CbsRequests(ConnectionGrants grants)
{
    public Answer Answer(AmqpMessage request)
    {
        var properties = request.ApplicationProperties;
        if (properties?.FindString(AmqpNames.Operation) is not AmqpNames.PutTokenOperation)
        {
            return new Answer(501, "Only put-token is supported here.", ErrorCondition.NotImplemented);
        }

        if (properties.FindString(AmqpNames.Name) is not { } audience || request.Body.Value is not string token)
        {
            return new Answer(400, "A put-token request must name its audience and have the token as its body.", ErrorCondition.InvalidField);
        }

        return grants.PutToken(audience, token) is { } refusal ? new Answer(401, refusal, ErrorCondition.UnauthorizedAccess) : new Answer(202, "Accepted");
    }
}
