using System.Buffers;
using System.Collections.Concurrent;
using System.Globalization;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>
/// Sends requests to a node and receives its answers, over two links on a separate session. Requests may run concurrently. An answer is matched by its
/// correlation-id (AMQP Management, working draft 11, section 3, and the claims-based security of the services).
/// </summary>
/// <remarks>Members may be called from any thread.</remarks>
public sealed class AmqpRequester : IAsyncDisposable
{
    // A running peer answers an end immediately.
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(5);

    private readonly AmqpSender _sender;
    private readonly AmqpReceiver _receiver;
    private readonly string _replyTo;
    private readonly AmqpRequesterOptions _options;
    private readonly ConcurrentDictionary<string, TaskCompletionSource<AmqpMessage>> _waiting = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _stopping = new();
    private readonly Task _reading;
    private long _lastId;

    private AmqpRequester(AmqpSession session, AmqpSender sender, AmqpReceiver receiver, string replyTo, AmqpRequesterOptions options)
    {
        Session = session;
        _sender = sender;
        _receiver = receiver;
        _replyTo = replyTo;
        _options = options;
        _reading = ReadAsync();
    }

    /// <summary>The session of both links.</summary>
    public AmqpSession Session { get; }

    /// <summary>Whether requests can be sent and answered.</summary>
    public bool IsOpen => _sender.IsOpen && _receiver.IsOpen && !_reading.IsCompleted;

    /// <summary>Begins a session and attaches both links.</summary>
    /// <param name="connection">An open connection, which stays the caller's.</param>
    /// <param name="options">The address of the node, and the callbacks.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="AmqpException">The node does not exist or refuses, or the connection has ended.</exception>
    public static async Task<AmqpRequester> OpenAsync(AmqpConnection connection, AmqpRequesterOptions options, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(options);
        if (options.Credit == 0)
        {
            throw new ArgumentException("Credit 0: at least 1", nameof(options));
        }

        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken).ConfigureAwait(false);
        try
        {
            var replyTo = Guid.NewGuid().ToString("N");
            var sending = Attached($"{replyTo}:sender", new Source { Address = replyTo }, new Target { Address = options.Address }, options);
            var sender = await session.AttachSenderAsync(sending, cancellationToken).ConfigureAwait(false);
            var receiving = Attached($"{replyTo}:receiver", new Source { Address = options.Address }, new Target { Address = replyTo }, options);
            var receiver = await session.AttachReceiverAsync(receiving, 0, cancellationToken).ConfigureAwait(false);
            receiver.SetPrefetch(options.Credit);
            return new AmqpRequester(session, sender, receiver, replyTo, options);
        }
        catch
        {
            await EndAsync(session).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Sends a request and waits for its answer, a success or an error.</summary>
    /// <param name="request">The request. Its message-id and reply-to are set here.</param>
    /// <param name="cancellationToken">Ends the wait. The node may still have executed the request.</param>
    /// <exception cref="AmqpException">The links are gone. The node may have executed the request if it had been sent.</exception>
    public async Task<AmqpMessage> RequestAsync(AmqpMessage request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        var id = string.Create(CultureInfo.InvariantCulture, $"request{Interlocked.Increment(ref _lastId)}");
        request.Properties = (request.Properties ?? new MessageProperties()) with { MessageId = id, ReplyTo = _replyTo };
        var answer = new TaskCompletionSource<AmqpMessage>(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting[id] = answer;
        try
        {
            // Checked after the entry was added: either the reading loop fails it, or this method does.
            if (_reading.IsCompleted)
            {
                throw Gone();
            }

            await _sender
                .TransferAsync(new ReadOnlySequence<byte>(request.Encode()), new OutgoingTransfer { Settled = true }, cancellationToken)
                .ConfigureAwait(false);
            return await answer.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _waiting.TryRemove(id, out _);
        }
    }

    /// <summary>Stops reading answers. Requests under way fail. The session stays open and belongs to the caller.</summary>
    public async Task StopAsync()
    {
        if (!_reading.IsCompleted)
        {
            await _stopping.CancelAsync().ConfigureAwait(false);
        }

        await _reading.ConfigureAwait(false);
    }

    /// <summary>Stops and ends the session, without an error and within five seconds.</summary>
    public async ValueTask DisposeAsync()
    {
        await StopAsync().ConfigureAwait(false);
        await EndAsync(Session).ConfigureAwait(false);
        _stopping.Dispose();
    }

    private static Attach Attached(string name, Source source, Target target, AmqpRequesterOptions options) =>
        new()
        {
            Name = name,
            SndSettleMode = SenderSettleMode.Settled,
            Source = source,
            Target = target,
            Properties = options.Properties,
        };

    // Never faults: waiting callers receive its end as an exception.
    private async Task ReadAsync()
    {
        Exception end;
        try
        {
            while (true)
            {
                var delivery = await _receiver.ReceiveAsync(_stopping.Token).ConfigureAwait(false);
                if (!delivery.Settled)
                {
                    _receiver.Settle(delivery, Accepted.Instance);
                }

                var answer = AmqpMessage.Decode(delivery.Payload);
                if (answer.Properties?.CorrelationId is string id && _waiting.TryRemove(id, out var found))
                {
                    found.TrySetResult(answer);
                }
                else
                {
                    _options.Dropped?.Invoke();
                }
            }
        }
        catch (OperationCanceledException)
        {
            end = Gone();
        }
        catch (Exception exception)
        {
            end = exception;
            _options.Lost?.Invoke(exception, _waiting.Count);
        }

        foreach (var one in _waiting.Values)
        {
            one.TrySetException(end);
        }
    }

    private static async Task EndAsync(AmqpSession session)
    {
        using CancellationTokenSource limit = new(CloseTimeout, session.Connection.Settings.TimeProvider);
        try
        {
            if (session.IsOpen)
            {
                await session.EndAsync(null, limit.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // The peer does not answer, even if the socket is still open.
            session.Connection.Abort(new AmqpError(ErrorCondition.ConnectionForced, "No answer to an end."));
        }
        catch (Exception exception) when (exception is AmqpException or IOException or ObjectDisposedException)
        {
            // The peer had gone before.
        }
    }

    private static AmqpException Gone() => new(AmqpErrorScope.Link, new AmqpError(ErrorCondition.DetachForced, "The links for requests have gone."));
}
