using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Logs;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Turns what went wrong with one transfer into its outcome: the link and its other transfers go on.</summary>
internal static class Rejections
{
    /// <param name="exception">What went wrong.</param>
    /// <param name="log">Told of it, by its cause, since the peer is not.</param>
    /// <param name="entity">Whose transfer it was.</param>
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

                // Clients try internal errors again within seconds, which heals no full disk, and give up at once over a quota.
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
