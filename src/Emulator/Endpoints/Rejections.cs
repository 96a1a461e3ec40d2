using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Turns what went wrong with one transfer into its outcome: the link and its other transfers go on.</summary>
internal static class Rejections
{
    public static Rejected Of(Exception exception) =>
        new(
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

    // ENOSPC and EDQUOT; Windows: ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL.
    private static bool IsDiskFull(IOException exception) =>
        OperatingSystem.IsWindows() ? (exception.HResult & 0xffff) is 39 or 112 : exception.HResult is 28 or 122;
}
