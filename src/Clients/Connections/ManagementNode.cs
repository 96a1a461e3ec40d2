using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Clients.Connections;

/// <summary>The node that answers requests about an entity. Opens its links at the first request. May be used concurrently.</summary>
/// <param name="connection">The connection.</param>
/// <param name="address">The node's address.</param>
/// <param name="authorisedPath">The path that the token must be for.</param>
/// <param name="entity">The entity of the requests.</param>
/// <param name="properties">Link properties.</param>
internal sealed class ManagementNode(ServiceConnection connection, string address, string authorisedPath, EntityLabel entity, AmqpMap? properties)
    : IAsyncDisposable
{
    private readonly SemaphoreSlim opening = new(1, 1);

    // Written while `opening` is held.
    private RequestLink? link;

    /// <summary>Sends a request until it succeeds or fails for good.</summary>
    /// <param name="applicationProperties">Creates the request's properties for each try.</param>
    /// <param name="body">The request's body.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    public Task<AmqpMessage> RequestAsync(Func<AmqpMap> applicationProperties, MessageBody body, CancellationToken cancellationToken) =>
        connection
            .Retrier.RunAsync(
                (Node: this, Properties: applicationProperties, Body: body),
                static (state, token) => state.Node.RequestOnceAsync(state.Properties(), state.Body, token),
                entity,
                cancellationToken
            )
            .AsTask();

    public async ValueTask DisposeAsync()
    {
        if (link is { } open)
        {
            await open.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async ValueTask<AmqpMessage> RequestOnceAsync(AmqpMap applicationProperties, MessageBody body, CancellationToken cancellationToken)
    {
        var open = await OpenAsync(cancellationToken).ConfigureAwait(false);
        var answer = await open.RequestAsync(applicationProperties, body, cancellationToken).ConfigureAwait(false);
        RequestLink.ThrowUnlessSuccess(answer, entity);
        return answer;
    }

    private async Task<RequestLink> OpenAsync(CancellationToken cancellationToken)
    {
        // Before the lock, so that every waiting caller reports the connection as the cause.
        await connection.GetAsync(cancellationToken).ConfigureAwait(false);
        await opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var live = await connection.GetAsync(cancellationToken).ConfigureAwait(false);
            await live.AuthoriseAsync(authorisedPath, entity, cancellationToken).ConfigureAwait(false);
            if (link is { IsOpen: true } open)
            {
                return open;
            }

            if (link is { } broken)
            {
                link = null;
                await broken.DisposeAsync().ConfigureAwait(false);
            }

            return link = await RequestLink.OpenAsync(live.Connection, address, properties, connection.Retrier, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            opening.Release();
        }
    }
}
