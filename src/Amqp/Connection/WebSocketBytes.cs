using System.Net.WebSockets;

namespace EventHubThroughput.Amqp;

/// <summary>
/// The bytes of the binary messages of a WebSocket, one after another: AMQP ignores where a message ends. Each write is a message. Owns the WebSocket.
/// </summary>
/// <param name="webSocket">The WebSocket.</param>
/// <param name="clock">The clock of the closing handshake's limit.</param>
internal sealed class WebSocketBytes(WebSocket webSocket, TimeProvider clock) : AsyncStream
{
    // How long a peer may take to accept the close message.
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(1);

    private int _closed;

    /// <inheritdoc/>
    /// <exception cref="IOException">The WebSocket is lost, or the peer sent a text message.</exception>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            while (true)
            {
                var read = await webSocket.ReceiveAsync(buffer, cancellationToken).ConfigureAwait(false);
                if (read.MessageType == WebSocketMessageType.Text)
                {
                    throw new IOException("The peer sent a text message, AMQP comes in binary ones.");
                }

                // A message may be empty.
                if (read.Count > 0 || read.MessageType == WebSocketMessageType.Close)
                {
                    return read.Count;
                }
            }
        }
        catch (Exception exception) when (IsLoss(exception, cancellationToken))
        {
            throw new IOException($"The WebSocket is lost: {exception.Message}", exception);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The WebSocket is lost.</exception>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            await webSocket.SendAsync(buffer, WebSocketMessageType.Binary, endOfMessage: true, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (IsLoss(exception, cancellationToken))
        {
            throw new IOException($"The WebSocket is lost: {exception.Message}", exception);
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && Interlocked.Exchange(ref _closed, 1) == 0)
        {
            _ = CloseAsync();
        }

        base.Dispose(disposing);
    }

    // Nearly always complete before it returns: the close message is a few bytes, which the socket accepts immediately.
    private async Task CloseAsync()
    {
        using CancellationTokenSource limit = new(CloseTimeout, clock);
        try
        {
            if (webSocket.State is WebSocketState.Open or WebSocketState.CloseReceived)
            {
                await webSocket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, statusDescription: null, limit.Token).ConfigureAwait(false);
            }
        }
        catch (Exception exception) when (IsLoss(exception, CancellationToken.None) || exception is IOException)
        {
            // The peer has gone without a close message.
        }
        finally
        {
            webSocket.Dispose();
        }
    }

    // An aborted WebSocket throws any of these. A cancellation by the caller is not a loss.
    private static bool IsLoss(Exception exception, CancellationToken cancellationToken) =>
        exception is WebSocketException or ObjectDisposedException or InvalidOperationException
        || (exception is OperationCanceledException && !cancellationToken.IsCancellationRequested);
}
