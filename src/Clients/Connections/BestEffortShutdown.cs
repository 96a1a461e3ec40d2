using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Closes resources within a time limit and without throwing, because no caller could handle the error.</summary>
internal static class BestEffortShutdown
{
    // A running peer answers an end immediately. If the peer does not answer, the connection is lost, even if the socket is open.
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(5);

    public static async Task EndQuietlyAsync(this AmqpSession session, Retrier retrier)
    {
        if (!session.IsOpen)
        {
            return;
        }

        using var limit = new CancellationTokenSource(CloseTimeout, retrier.TimeProvider);
        try
        {
            await session.EndAsync(null, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            Log.EndUnanswered(retrier.Log, retrier.Host);
            session.Connection.Abort(new AmqpError(ErrorCondition.ConnectionForced, "No answer to an end."));
        }
        catch (Exception exception) when (exception is AmqpException or IOException or ObjectDisposedException)
        {
            // The peer had gone before.
            Log.GoneBeforeClose(retrier.Log, retrier.Host, exception);
        }
    }

    public static async Task CloseQuietlyAsync(this AmqpConnection connection, Retrier retrier)
    {
        using var limit = new CancellationTokenSource(CloseTimeout, retrier.TimeProvider);
        try
        {
            if (connection.IsOpen)
            {
                await connection.CloseAsync(null, limit.Token).ConfigureAwait(false);
            }
        }
        catch (Exception exception) when (exception is AmqpException or OperationCanceledException or IOException or ObjectDisposedException)
        {
            // The peer does not answer or had gone before.
            Log.GoneBeforeClose(retrier.Log, retrier.Host, exception);
        }

        await connection.DisposeAsync().ConfigureAwait(false);
    }
}
