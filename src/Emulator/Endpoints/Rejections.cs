using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Turns what went wrong with one transfer into its outcome: the link and its other transfers go on.</summary>
internal static class Rejections
{
    public static Rejected Of(Exception exception) => new(exception is AmqpException amqp
        ? amqp.Error
        : new AmqpError(ErrorCondition.InternalError, $"The emulator could not store it: {exception.GetType().Name}."));
}
