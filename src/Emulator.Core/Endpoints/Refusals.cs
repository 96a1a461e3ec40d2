using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Error texts of the service. Clients distinguish errors by the text, not only by the condition.</summary>
internal static class Refusals
{
    /// <param name="name">A name, or the whole address that the peer requested.</param>
    public static string EntityNotFoundText(string name) => $"The messaging entity '{name}' could not be found.";

    public static AmqpError EntityNotFound(string name) => new(ErrorCondition.NotFound, EntityNotFoundText(name));

    public static AmqpError PartitionOutOfRange(int count) =>
        new(
            AmqpNames.ArgumentOutOfRangeError,
            $"The specified partition is invalid for an EventHub partition sender or receiver. It should be between 0 and {count - 1}.\nParameter name: PartitionId"
        );

    public static AmqpError Unauthorized(string path, string claim) =>
        new(ErrorCondition.UnauthorizedAccess, $"Unauthorized access. '{claim}' claim(s) are required to perform this operation. Resource: '{path}'.");

    public static AmqpError NoSessions { get; } =
        new(
            ErrorCondition.NotAllowed,
            "A sessionful message receiver cannot be created on an entity that does not require sessions. "
                + "Ensure RequiresSession is set to true when creating a Queue or Subscription to enable sessionful behavior."
        );

    public static AmqpError NotSupported(string what) => new(ErrorCondition.NotImplemented, $"{what} not supported here.");

    public static AmqpError MemoryExceeded(long limit) =>
        new(ErrorCondition.ResourceLimitExceeded, $"The emulator holds no more than {limit} bytes of events and messages.");
}
