using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Logs;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Turns the failure of one transfer into its outcome. The link and its other transfers continue.</summary>
internal static class Rejections
{
    /// <param name="exception">The failure.</param>
    /// <param name="log">The log of the cause, which is not sent to the peer.</param>
    /// <param name="entity">The entity of the transfer.</param>
    public static Rejected Of(Exception exception, ILogger log, string entity)
    {
        if (exception is AmqpException or OperationCanceledException)
        {
            EmulatorLog.TransferRefused(log, entity, exception);
        }
        else
        {
            EmulatorLog.TransferFailed(log, entity, exception);
        }

        return new Rejected(
            exception switch
            {
                AmqpException amqp => amqp.Error,

                // Clients retry an internal error within seconds, which does not help on a full disk. After a quota error they stop immediately.
                IOException full when IsDiskFull(full) => new AmqpError(
                    ErrorCondition.ResourceLimitExceeded,
                    "The disk of the emulator's data directory is full."
                ),
                _ => new AmqpError(ErrorCondition.InternalError, $"The emulator could not store it: {exception.GetType().Name}."),
            }
        );
    }

    // ENOSPC and EDQUOT. Windows: ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL.
    private static bool IsDiskFull(IOException exception) =>
        OperatingSystem.IsWindows() ? (exception.HResult & 0xffff) is 39 or 112 : exception.HResult is 28 or 122;
}
