using System.Collections.Concurrent;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Auth;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Puts tokens for the entities of one connection over one pair of links. Renews each at three quarters of its lifetime.</summary>
internal sealed class CbsLink : IAsyncDisposable
{
    // A failed renewal is retried after this time. If a token expires in the meantime, the service detaches its links, which are attached again.
    private static readonly TimeSpan RenewalRetry = TimeSpan.FromSeconds(1);

    private readonly RequestLink link;
    private readonly SasTokenProvider tokens;
    private readonly TimeProvider timeProvider;
    private readonly Retrier retrier;
    private readonly SemaphoreSlim putting = new(1, 1);
    private readonly CancellationTokenSource closing = new();

    // Written while `putting` is held, except for tokens that are marked as overdue.
    private readonly ConcurrentDictionary<string, DateTimeOffset> renewals = new(StringComparer.OrdinalIgnoreCase);
    private Task? renewing;

    private CbsLink(RequestLink link, SasTokenProvider tokens, Retrier retrier)
    {
        this.link = link;
        this.tokens = tokens;
        this.retrier = retrier;
        timeProvider = retrier.TimeProvider;
    }

    public bool IsOpen => link.IsOpen;

    public static async Task<CbsLink> OpenAsync(AmqpConnection connection, SasTokenProvider tokens, Retrier retrier, CancellationToken cancellationToken) =>
        new(await RequestLink.OpenAsync(connection, AmqpNames.CbsAddress, null, retrier, cancellationToken).ConfigureAwait(false), tokens, retrier);

    /// <summary>Makes sure that the connection holds a token for an entity.</summary>
    public async Task AuthoriseAsync(string entityPath, EntityLabel entity, CancellationToken cancellationToken)
    {
        await putting.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (renewals.TryGetValue(entityPath, out var due) && timeProvider.GetUtcNow() < due)
            {
                return;
            }

            await PutAsync(entityPath, entity, cancellationToken).ConfigureAwait(false);
            renewing ??= RenewAsync();
        }
        finally
        {
            putting.Release();
        }
    }

    /// <summary>Whether an entity's token should have been renewed by now, for example after the process was suspended.</summary>
    public bool IsOverdue(string entityPath) => renewals.TryGetValue(entityPath, out var due) && timeProvider.GetUtcNow() >= due;

    /// <summary>Marks a token that the service has reported as expired. If one is put at the same moment, it is put twice, which has no effect.</summary>
    public void MarkOverdue(string entityPath)
    {
        if (renewals.ContainsKey(entityPath))
        {
            renewals[entityPath] = DateTimeOffset.MinValue;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await closing.CancelAsync().ConfigureAwait(false);
        if (renewing is { } task)
        {
            await task.ConfigureAwait(false);
        }

        await link.DisposeAsync().ConfigureAwait(false);
        closing.Dispose();
    }

    private async Task PutAsync(string entityPath, EntityLabel entity, CancellationToken cancellationToken)
    {
        var now = timeProvider.GetUtcNow();
        var token = tokens.Create(entityPath);
        var properties = new AmqpMap()
        {
            { AmqpNames.Operation, AmqpNames.PutTokenOperation },
            { AmqpNames.Type, token.Type },
            { AmqpNames.Name, tokens.GetAudience(entityPath) },
            { AmqpNames.Expiration, AmqpTimestamp.From(token.Expiry) },
        };
        var answer = await link.RequestAsync(properties, MessageBody.OfValue(token.Text), cancellationToken).ConfigureAwait(false);
        RequestLink.ThrowUnlessSuccess(answer, entity);
        renewals[entityPath] = now + ((token.Expiry - now) * 0.75);
    }

    // Tokens have one lifetime, so a later token is due later: the earliest known is always the next. Never faults.
    private async Task RenewAsync()
    {
        // The caller still holds the lock when it puts the first token.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            var delay = await UntilNextAsync().ConfigureAwait(false);
            while (link.IsOpen)
            {
                await Task.Delay(delay, timeProvider, closing.Token).ConfigureAwait(false);
                delay = await RenewDueAsync().ConfigureAwait(false) ? await UntilNextAsync().ConfigureAwait(false) : RenewalRetry;
            }
        }
        catch (OperationCanceledException) when (closing.IsCancellationRequested)
        {
            // Closed.
        }
    }

    private async Task<TimeSpan> UntilNextAsync()
    {
        await putting.WaitAsync(closing.Token).ConfigureAwait(false);
        try
        {
            var delay = renewals.Values.Min() - timeProvider.GetUtcNow();
            return delay > TimeSpan.Zero ? delay : TimeSpan.Zero;
        }
        finally
        {
            putting.Release();
        }
    }

    private async Task<bool> RenewDueAsync()
    {
        await putting.WaitAsync(closing.Token).ConfigureAwait(false);
        var failing = AmqpNames.CbsAddress;
        try
        {
            var now = timeProvider.GetUtcNow();
            foreach (var path in renewals.Where(pair => pair.Value <= now).Select(static pair => pair.Key).ToArray())
            {
                failing = path;
                using var limit = CancellationTokenSource.CreateLinkedTokenSource(closing.Token);
                limit.CancelAfter(retrier.Options.TryTimeout);
                await PutAsync(path, new EntityLabel("entity", path), limit.Token).ConfigureAwait(false);
            }

            return true;
        }
        catch (Exception exception)
            when (exception is AmqpException or MessagingException || (exception is OperationCanceledException && !closing.IsCancellationRequested))
        {
            Log.TokenRenewalFailed(retrier.Log, failing, RenewalRetry, exception);
            return false;
        }
        finally
        {
            putting.Release();
        }
    }
}
