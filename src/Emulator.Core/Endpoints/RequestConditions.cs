using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Profiles;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>What befalls the requests on one node: the profile's latency, and faults.</summary>
internal sealed class RequestConditions(FaultEngine faults, FaultPoint point, FaultTarget target, ILatency latency, ILogger? log = null)
{
    public ILogger Log { get; } = log ?? NullLogger.Instance;

    /// <summary>The answer, or null when there is to be none.</summary>
    public async ValueTask<Answer?> AnswerAsync(
        AmqpConnection connection,
        AmqpMessage request,
        Func<AmqpMessage, Answer> answer,
        CancellationToken cancellationToken
    )
    {
        if (point != FaultPoint.Token)
        {
            await latency.ApplyAsync(EmulatedOperation.Management, cancellationToken);
        }

        var about = TargetOf(request);
        var fault = await faults.TryInjectAsync(point, about, cancellationToken);
        switch (fault?.Action)
        {
            case FaultAction.Refuse:
                return fault.Reason.ToAnswer(about);
            case FaultAction.BlackHole:
                return null;
            case FaultAction.Drop:
                connection.Abort(null);
                return null;
            default:
                var given = answer(request);
                return fault.LosesAnswer(connection) ? null : given;
        }
    }

    // Requests about hubs go to one node for all of them. Each says what it is about.
    private FaultTarget TargetOf(AmqpMessage request) =>
        point == FaultPoint.HubManagement && request.ApplicationProperties is { } properties
            ? target with
            {
                Entity = properties.FindString(AmqpNames.Name) ?? target.Entity,
                Partition = properties.FindString(AmqpNames.Partition),
            }
            : target;
}
