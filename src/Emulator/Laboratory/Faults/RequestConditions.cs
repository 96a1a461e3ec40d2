using EventHubThroughput.Amqp;
using EventHubThroughput.Emulator.Endpoints;

namespace EventHubThroughput.Emulator.Laboratory.Faults;

/// <summary>What befalls the requests on one node: the profile's latency, and faults.</summary>
internal sealed class RequestConditions(FaultEngine faults, FaultPoint point, FaultTarget target, ILatency latency)
{
    /// <summary>The answer, or null when there is to be none.</summary>
    public async ValueTask<Answer?> AnswerAsync(AmqpConnection connection, Func<Answer> answer, CancellationToken cancellationToken)
    {
        if (point != FaultPoint.Token)
        {
            await latency.ApplyAsync(EmulatedOperation.Management, cancellationToken);
        }

        var fault = await faults.MeetAsync(point, target, cancellationToken);
        switch (fault?.Action)
        {
            case FaultAction.Refuse:
                return fault.Reason.ToAnswer(target);
            case FaultAction.BlackHole:
                return null;
            case FaultAction.Drop:
                connection.Abort(null);
                return null;
            default:
                var given = answer();
                return fault.LosesAnswer(connection) ? null : given;
        }
    }
}
