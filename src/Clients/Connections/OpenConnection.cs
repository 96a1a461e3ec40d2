using EventHubThroughput.Amqp;
using EventHubThroughput.Clients.Auth;

namespace EventHubThroughput.Clients.Connections;

/// <summary>One open connection and its link for tokens, which is opened with the first entity.</summary>
internal sealed class OpenConnection(AmqpConnection connection, SasTokenProvider tokens, Retrier retrier) : IAsyncDisposable
{
    private readonly SemaphoreSlim opening = new(1, 1);
    private CbsLink? cbs;

    public AmqpConnection Connection => connection;

    public bool IsOpen => connection.IsOpen;

    /// <summary>Makes sure that the connection holds a token for an entity.</summary>
    public async Task AuthoriseAsync(string entityPath, EntityLabel entity, CancellationToken cancellationToken)
    {
        var link = await CbsAsync(cancellationToken).ConfigureAwait(false);
        await link.AuthoriseAsync(entityPath, entity, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Whether an entity's token should have been renewed by now.</summary>
    public bool IsTokenOverdue(string entityPath) => Volatile.Read(ref cbs)?.IsOverdue(entityPath) == true;

    /// <summary>Forces a new token at the next use of an entity, even if the present one is valid by the clock of this machine.</summary>
    public void MarkTokenOverdue(string entityPath) => Volatile.Read(ref cbs)?.MarkOverdue(entityPath);

    public async ValueTask DisposeAsync()
    {
        if (cbs is { } link)
        {
            await link.DisposeAsync().ConfigureAwait(false);
        }

        await connection.CloseQuietlyAsync(retrier).ConfigureAwait(false);
    }

    private async Task<CbsLink> CbsAsync(CancellationToken cancellationToken)
    {
        await opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (cbs is { IsOpen: true } open)
            {
                return open;
            }

            if (cbs is { } broken)
            {
                cbs = null;
                await broken.DisposeAsync().ConfigureAwait(false);
            }

            return cbs = await CbsLink.OpenAsync(connection, tokens, retrier, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            opening.Release();
        }
    }
}
