using System.Net.Sockets;

namespace EventHubThroughput.Clients.Azure.Failures;

/// <summary>What all packages have in common in what they throw.</summary>
internal static class PackageFailures
{
    /// <summary>Whether the caller is to see it as a <see cref="MessagingException"/>, which it is not yet. The caller's own cancellation is no failure.</summary>
    public static bool IsFailure(Exception exception, CancellationToken cancellationToken) =>
        exception is not MessagingException && (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested);

    /// <summary>What a package says of a failure, without what it appends: where to read on, and whole headers.</summary>
    public static string FirstLine(string message) => message.Split('\n', 2)[0].TrimEnd();

    /// <summary>
    /// With what an attempt to connect has ended, however deep the package has wrapped it. Null for all else: a connection that broke may have sent
    /// something.
    /// </summary>
    public static SocketError? ConnectErrorOf(Exception? exception)
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
                return socket.SocketErrorCode;
            }
        }

        return null;
    }
}
