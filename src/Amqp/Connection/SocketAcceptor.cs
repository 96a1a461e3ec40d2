using System.Net.Sockets;

namespace EventHubThroughput.Amqp;

/// <summary>Accepts one socket after another. If the system has none to give, it waits for a moment before it asks again.</summary>
/// <param name="accept">Waits for the next socket.</param>
/// <param name="failed">Receives each failure.</param>
/// <param name="clock">The clock of the pause.</param>
internal sealed class SocketAcceptor(Func<CancellationToken, ValueTask<Socket>> accept, Action<SocketException> failed, TimeProvider clock)
{
    /// <summary>How long it waits after descriptors or memory have run out. Asking again immediately would keep a core busy until they are back.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    /// <summary>The next socket. Null when there will be none.</summary>
    public async Task<Socket?> NextAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                return await accept(cancellationToken).ConfigureAwait(false);
            }
            catch (SocketException exception) when (!cancellationToken.IsCancellationRequested)
            {
                failed(exception);
                if (IsOfThePeer(exception.SocketErrorCode))
                {
                    continue;
                }
            }
            catch (Exception exception) when (exception is OperationCanceledException or ObjectDisposedException or SocketException)
            {
                return null;
            }

            await Task.Delay(Pause, clock, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    // The peer went away before it was accepted: the next one may already be there.
    private static bool IsOfThePeer(SocketError error) => error is SocketError.ConnectionAborted or SocketError.ConnectionReset;
}
