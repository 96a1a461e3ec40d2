using System.Net.Sockets;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.Azure.Failures;

/// <summary>
/// The packages try again by themselves for many seconds before they report that nothing listens. Until a service has answered for the
/// first time, an operation that takes a second is a reason to connect once beside it: a connection that is refused is reported then.
/// </summary>
/// <param name="server">Host and port. Text of another form is not connected to.</param>
/// <param name="outage">Reports it, once.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class FirstConnectionProbe(string server, Outage outage, TimeProvider timeProvider)
{
    private static readonly TimeSpan ConnectLimit = TimeSpan.FromSeconds(2);

    private const int HttpsPort = 443;

    // Not one with an address of its own beside its name, nor one that a proxy may stand before.
    private readonly Uri? address = Uri.TryCreate($"tcp://{server}", UriKind.Absolute, out var parsed) && parsed.Port is > 0 and not HttpsPort ? parsed : null;

    private volatile bool isAnswered;
    private int tried;

    /// <summary>Waits for an operation that has begun.</summary>
    /// <param name="operation">The operation. When it has succeeded, nothing is watched any more.</param>
    /// <param name="cancellationToken">Ends the watch only: the operation has a token of its own.</param>
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
            // Silent: the operation's own time-out will say so.
        }
    }
}
