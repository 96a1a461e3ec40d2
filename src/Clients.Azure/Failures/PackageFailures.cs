using System.Net.Sockets;
using System.Security.Authentication;

namespace EventHubThroughput.Clients.Azure.Failures;

/// <summary>What the exceptions of all packages have in common.</summary>
internal static class PackageFailures
{
    /// <summary>
    /// Whether the caller should receive it as a <see cref="MessagingException"/>, which it is not yet. The caller's own cancellation is not a failure.
    /// </summary>
    public static bool IsFailure(Exception exception, CancellationToken cancellationToken) =>
        exception is not MessagingException && (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested);

    /// <summary>The message of a package without the text that it appends: links and headers.</summary>
    public static string FirstLine(string message) => message.Split('\n', 2)[0].TrimEnd();

    /// <summary>
    /// The error of an attempt to connect, however deep the package has wrapped it: the socket's or that of TLS. Null for other exceptions: a connection that
    /// broke may have sent something.
    /// </summary>
    public static string? GetConnectError(Exception? exception)
    {
        for (; exception is not null; exception = exception.InnerException)
        {
            if (
                exception is SocketException
                {
                    SocketErrorCode: SocketError.ConnectionRefused
                        or SocketError.HostNotFound
                        or SocketError.HostUnreachable
                        or SocketError.NetworkUnreachable
                        or SocketError.TryAgain
                        or SocketError.NoData
                } socket
            )
            {
                return socket.SocketErrorCode.ToString();
            }

            if (exception is AuthenticationException refused)
            {
                return FirstLine(refused.Message);
            }
        }

        return null;
    }
}
