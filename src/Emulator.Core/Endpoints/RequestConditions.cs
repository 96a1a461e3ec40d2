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

/// <summary>The latencies and faults of requests to one node.</summary>
internal sealed class RequestConditions(FaultEngine faults, FaultPoint point, FaultTarget target, ILatency latency, ILogger? log = null)
{
    public ILogger Log { get; } = log ?? NullLogger.Instance;

    /// <summary>Returns the answer, or null when the request gets none.</summary>
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

        var about = GetTarget(request);
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

    // All requests about hubs share one node. Each request names its hub.
    private FaultTarget GetTarget(AmqpMessage request) =>
        point == FaultPoint.HubManagement && request.ApplicationProperties is { } properties
            ? target with
            {
                Entity = properties.FindString(AmqpNames.Name) ?? target.Entity,
                Partition = properties.FindString(AmqpNames.Partition),
            }
            : target;
}
