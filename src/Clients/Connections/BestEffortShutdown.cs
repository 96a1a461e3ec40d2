using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Giving things up: bounded in time, and without an error, since nobody could do anything about it.</summary>
internal static class BestEffortShutdown
{
    // A living peer answers an end at once. One that does not has lost the connection, whatever the socket believes.
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
            // The peer was gone first.
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
            // The peer does not answer or was gone first.
            Log.GoneBeforeClose(retrier.Log, retrier.Host, exception);
        }

        await connection.DisposeAsync().ConfigureAwait(false);
    }
}
