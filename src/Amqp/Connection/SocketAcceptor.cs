using System.Net.Sockets;

namespace EventHubThroughput.Amqp;

/// <summary>Takes one socket after another. Where the system has none to give, it is asked again after a moment instead of at once.</summary>
/// <param name="accept">Waits for the next socket.</param>
/// <param name="failed">Is told of each failure.</param>
/// <param name="clock">The clock of the moment.</param>
internal sealed class SocketAcceptor(Func<CancellationToken, ValueTask<Socket>> accept, Action<SocketException> failed, TimeProvider clock)
{
    /// <summary>How long is waited when descriptors or memory have run out: whoever asks at once keeps a core busy until they are back.</summary>
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

    // It went away before it was accepted: the next one may be there already.
    private static bool IsOfThePeer(SocketError error) => error is SocketError.ConnectionAborted or SocketError.ConnectionReset;
}
