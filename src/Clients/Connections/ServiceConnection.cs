using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Auth;

namespace EventHubThroughput.Clients.Connections;

/// <summary>
/// The one connection to a namespace that all its links share. It is made when first needed and again after a loss. All waiting callers share one attempt.
/// May be used concurrently.
/// </summary>
internal sealed class ServiceConnection : IAsyncDisposable
{
    // The beginning of the service's description if the token is expired, not the rights missing.
    private const string ExpiredToken = "ExpiredToken";

    private readonly string service;
    private readonly AmqpConnectionOptions options;
    private readonly SasTokenProvider tokens;
    private readonly Retrier retrier;
    private readonly Outage outage;
    private readonly CancellationTokenSource closing = new();
    private readonly Lock gate = new();

    // Under the gate.
    private OpenConnection? open;
    private Task<OpenConnection>? connecting;
    private bool disposed;

    /// <param name="kind">event hubs or service bus. The first words of every message about the connection.</param>
    /// <param name="connectionString">The address and the key.</param>
    /// <param name="transport">What carries AMQP.</param>
    /// <param name="tokenLifetime">The lifetime of tokens.</param>
    /// <param name="largestMessage">The largest message that is received, in bytes.</param>
    /// <param name="retrier">Waits between attempts, and the clock.</param>
    /// <param name="frames">Creates the observer of the frames of each connection, or null.</param>
    /// <param name="notice">Called with a line when connections have failed for a second. Null reports nothing.</param>
    /// <exception cref="MessagingException">The emulator's flag, which turns TLS off, is set for another machine.</exception>
    public ServiceConnection(
        string kind,
        MessagingConnectionString connectionString,
        MessagingTransport transport,
        TimeSpan tokenLifetime,
        long largestMessage,
        Retrier retrier,
        Func<EndPoint?, IFrameObserver?>? frames,
        Action<string>? notice = null
    )
    {
        if (connectionString.UseDevelopmentEmulator && !connectionString.IsLoopback)
        {
            throw new MessagingException(FailureKind.Permanent, $"UseDevelopmentEmulator is allowed for loopback hosts only, got '{connectionString.Host}'");
        }

        this.retrier = retrier;
        outage = new Outage(retrier.Options, retrier.TimeProvider, retrier.Host, notice);
        service = $"{kind} {retrier.Host}";
        tokens = new SasTokenProvider(connectionString, tokenLifetime, retrier.TimeProvider);
        options = new AmqpConnectionOptions
        {
            Host = connectionString.Host,
            Port = transport.GetPort(connectionString),
            UseTls = !connectionString.UseDevelopmentEmulator,
            WebSocket = transport == MessagingTransport.WebSockets ? new AmqpWebSocketOptions() : null,
            OperationTimeout = retrier.Options.TryTimeout,
            MaxMessageSize = (ulong)largestMessage,
            Properties = new AmqpMap
            {
                { new AmqpSymbol("product"), "EventHubThroughput" },
                { new AmqpSymbol("version"), typeof(ServiceConnection).Assembly.GetName().Version?.ToString(3) },
            },
            FrameObserver = frames,
            TimeProvider = retrier.TimeProvider,
        };
    }

    public Retrier Retrier => retrier;

    /// <summary>Creates a token for requests that carry their own.</summary>
    public SecurityToken CreateToken(string entityPath) => tokens.Create(entityPath);

    /// <summary>The live connection, or a new one.</summary>
    /// <exception cref="MessagingException">
    /// Kind Unconnected when the token was cancelled before there was a connection. Unreachable after the limit without a connection. Others immediately when
    /// no attempt would help.
    /// </exception>
    public async ValueTask<OpenConnection> GetAsync(CancellationToken cancellationToken)
    {
        Task<OpenConnection> attempt;
        lock (gate)
        {
            ObjectDisposedException.ThrowIf(disposed, this);
            if (open is { IsOpen: true } live)
            {
                return live;
            }

            if (connecting is null)
            {
                var lost = open;
                open = null;
                connecting = Begin(lost);

                // Every waiting caller may cancel first, and then nothing would observe the exception.
                _ = connecting.ContinueWith(
                    static failed => failed.Exception,
                    CancellationToken.None,
                    TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
                    TaskScheduler.Default
                );
            }

            attempt = connecting;
        }

        try
        {
            return await attempt.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException exception) when (cancellationToken.IsCancellationRequested)
        {
            throw new MessagingException(FailureKind.Unconnected, $"no connection to {service} yet", exception);
        }
    }

    /// <summary>Begins a session on a connection that holds a token for an entity.</summary>
    public async Task<AmqpSession> BeginSessionAsync(string entityPath, EntityLabel entity, CancellationToken cancellationToken)
    {
        var connection = await GetAsync(cancellationToken).ConfigureAwait(false);
        await connection.AuthoriseAsync(entityPath, entity, cancellationToken).ConfigureAwait(false);
        return await connection.Connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// The exception for a failure of a link. A refusal is transient if the token should have been renewed, or if the service reports it as expired by its
    /// own clock. The next try puts a new token.
    /// </summary>
    public MessagingException GetFailure(Exception exception, EntityLabel entity, string entityPath)
    {
        var failure = Failures.Of(exception, entity, retrier.Host);
        OpenConnection? live;
        lock (gate)
        {
            live = open;
        }

        var expired =
            failure.Kind == FailureKind.Unauthorized
            && exception is AmqpException { Error.Description: { } description }
            && description.StartsWith(ExpiredToken, StringComparison.OrdinalIgnoreCase);
        if (expired)
        {
            live?.MarkTokenOverdue(entityPath);
            Log.TokenExpired(retrier.Log, entity.ToString(), exception);
        }

        return expired || (failure.Kind == FailureKind.Unauthorized && live?.IsTokenOverdue(entityPath) == true)
            ? new MessagingException(FailureKind.Transient, $"{entity}: the token has expired", exception)
            : failure;
    }

    public async ValueTask DisposeAsync()
    {
        OpenConnection? last;
        Task<OpenConnection>? attempt;
        lock (gate)
        {
            if (disposed)
            {
                return;
            }

            disposed = true;
            last = open;
            attempt = connecting;
        }

        await closing.CancelAsync().ConfigureAwait(false);
        if (attempt is not null)
        {
            await ((Task)attempt).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            last ??= attempt.IsCompletedSuccessfully ? await attempt.ConfigureAwait(false) : null;
        }

        if (last is not null)
        {
            await last.DisposeAsync().ConfigureAwait(false);
        }

        closing.Dispose();
    }

    // Without the execution context of the first caller: this connection serves all callers and outlives the first operation.
    private Task<OpenConnection> Begin(OpenConnection? lost)
    {
        if (ExecutionContext.IsFlowSuppressed())
        {
            return ConnectAsync(lost);
        }

        using (ExecutionContext.SuppressFlow())
        {
            return ConnectAsync(lost);
        }
    }

    private async Task<OpenConnection> ConnectAsync(OpenConnection? lost)
    {
        // Leaves the gate, which the caller holds.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            if (lost is not null)
            {
                Log.ConnectionLost(retrier.Log, service, await ReasonOfAsync(lost.Connection.Completion).ConfigureAwait(false));
                await lost.DisposeAsync().ConfigureAwait(false);
            }

            for (var retry = 0; ; retry++)
            {
                var started = retrier.TimeProvider.GetTimestamp();
                try
                {
                    var connection = await AmqpConnection.ConnectAsync(options, closing.Token).ConfigureAwait(false);
                    return Opened(new OpenConnection(connection, tokens, retrier));
                }
                catch (Exception exception) when (!closing.IsCancellationRequested)
                {
                    await WaitOrThrowAsync(exception, started, retry).ConfigureAwait(false);
                }
            }
        }
        catch
        {
            lock (gate)
            {
                connecting = null;
            }

            throw;
        }
    }

    private OpenConnection Opened(OpenConnection connection)
    {
        lock (gate)
        {
            open = connection;
            connecting = null;
        }

        outage.Over();
        Log.Connected(retrier.Log, service);
        return connection;
    }

    private async Task WaitOrThrowAsync(Exception exception, long started, int retry)
    {
        var failure = Failures.Of(exception, new EntityLabel("namespace", service), retrier.Host);
        if (!failure.IsTransient)
        {
            Log.ConnectRefused(retrier.Log, service, exception);
            throw failure.Kind == FailureKind.Unauthorized
                ? new MessagingException(FailureKind.Unauthorized, $"not authorized at {service}", exception)
                : failure;
        }

        var left = outage.Failed(started, exception);
        if (left <= TimeSpan.Zero)
        {
            Log.Unreachable(retrier.Log, service, retrier.Options.UnreachableLimit, exception);
            throw Unreachable(retrier.Options.UnreachableLimit, exception);
        }

        var delay = retrier.NextDelay(retry);
        delay = delay < left ? delay : left;
        Log.ConnectFailed(retrier.Log, service, delay, exception);
        await Task.Delay(delay, retrier.TimeProvider, closing.Token).ConfigureAwait(false);
    }

    private static async Task<string> ReasonOfAsync(Task<AmqpError?> completion) =>
        completion.IsCompleted ? (await completion.ConfigureAwait(false))?.Description ?? "it was closed" : "it is being closed";

    private MessagingException Unreachable(TimeSpan limit, Exception cause) =>
        new(
            FailureKind.Unreachable,
            string.Create(CultureInfo.InvariantCulture, $"{service} unreachable for {limit.TotalSeconds:0.###} s{Outage.GetLastingCause(cause)}"),
            cause
        );
}
