using System.Net.Sockets;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.Azure.Failures;

/// <summary>
/// The packages retry for many seconds before they report that no server listens. Until a service has answered for the first time, an operation that takes a
/// second causes one separate attempt to connect. A refused connection is then reported.
/// </summary>
/// <param name="server">Host and port. No connection is made to text of another form.</param>
/// <param name="outage">Reports it, once.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class FirstConnectionProbe(string server, Outage outage, TimeProvider timeProvider)
{
    private static readonly TimeSpan ConnectLimit = TimeSpan.FromSeconds(2);

    private const int HttpsPort = 443;

    // Null for a server with a separate custom endpoint, and for one that may be behind a proxy.
    private readonly Uri? address = Uri.TryCreate($"tcp://{server}", UriKind.Absolute, out var parsed) && parsed.Port is > 0 and not HttpsPort ? parsed : null;

    private volatile bool isAnswered;
    private int tried;

    /// <summary>Waits for a running operation.</summary>
    /// <param name="operation">The operation. After its first success nothing is watched any more.</param>
    /// <param name="cancellationToken">Ends only the watch: the operation has its own token.</param>
    public async Task<T> WatchAsync<T>(Task<T> operation, CancellationToken cancellationToken)
    {
        if (address is not null && !isAnswered && !operation.IsCompleted && Volatile.Read(ref tried) == 0)
        {
            using var watch = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            var second = Task.Delay(Outage.NoticeAfter, timeProvider, watch.Token);
            if (
                await Task.WhenAny(operation, second).ConfigureAwait(false) == second
                && second.IsCompletedSuccessfully
                && Interlocked.Exchange(ref tried, 1) == 0
            )
            {
                await TryAsync(address, watch.Token).ConfigureAwait(false);
            }

            await watch.CancelAsync().ConfigureAwait(false);
        }

        var result = await operation.ConfigureAwait(false);
        isAnswered = true;
        return result;
    }

    private async Task TryAsync(Uri address, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(ConnectLimit, timeProvider);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, limit.Token);
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(address.DnsSafeHost, address.Port, both.Token).ConfigureAwait(false);
        }
        catch (SocketException refused)
        {
            outage.Notice(refused);
        }
        catch (OperationCanceledException)
        {
            // No answer: the operation's time-out will report that.
        }
    }
}
