using System.Buffers;
using System.Collections.Concurrent;
using System.Globalization;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Connections;

/// <summary>
/// A pair of links to a node that answers requests (<c>$cbs</c>, <c>$management</c>), on a session of its own. Requests may be in
/// flight together; answers are matched by their correlation-id.
/// </summary>
internal sealed class RequestLink : IAsyncDisposable
{
    private const uint ReplyCredit = 50;

    private readonly AmqpSession session;
    private readonly AmqpSender sender;
    private readonly AmqpReceiver receiver;
    private readonly string replyTo;
    private readonly string node;
    private readonly Retrier retrier;
    private readonly ConcurrentDictionary<string, TaskCompletionSource<AmqpMessage>> waiting = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource closing = new();
    private readonly Task reading;
    private long lastId;

    private RequestLink(AmqpSession session, AmqpSender sender, AmqpReceiver receiver, string replyTo, string node, Retrier retrier)
    {
        this.node = node;
        this.retrier = retrier;
        this.session = session;
        this.sender = sender;
        this.receiver = receiver;
        this.replyTo = replyTo;
        reading = ReadAsync();
    }

    public bool IsOpen => sender.IsOpen && receiver.IsOpen;

    public static async Task<RequestLink> OpenAsync(
        AmqpConnection connection,
        string address,
        AmqpMap? properties,
        Retrier retrier,
        CancellationToken cancellationToken
    )
    {
        var begun = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken).ConfigureAwait(false);
        try
        {
            var reply = Guid.NewGuid().ToString("N");
            var outgoing = await begun
                .AttachSenderAsync(
                    new Attach
                    {
                        Name = $"{reply}:sender",
                        SndSettleMode = SenderSettleMode.Settled,
                        Source = new Source { Address = reply },
                        Target = new Target { Address = address },
                        Properties = properties,
                    },
                    cancellationToken
                )
                .ConfigureAwait(false);
            var incoming = await begun
                .AttachReceiverAsync(
                    new Attach
                    {
                        Name = $"{reply}:receiver",
                        SndSettleMode = SenderSettleMode.Settled,
                        Source = new Source { Address = address },
                        Target = new Target { Address = reply },
                        Properties = properties,
                    },
                    0,
                    cancellationToken
                )
                .ConfigureAwait(false);
            incoming.SetPrefetch(ReplyCredit);
            return new RequestLink(begun, outgoing, incoming, reply, address, retrier);
        }
        catch
        {
            await begun.EndQuietlyAsync(retrier).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Sends a request and waits for its answer, whatever its status.</summary>
    public async Task<AmqpMessage> RequestAsync(AmqpMap applicationProperties, MessageBody body, CancellationToken cancellationToken)
    {
        var id = string.Create(CultureInfo.InvariantCulture, $"request{Interlocked.Increment(ref lastId)}");
        var request = new AmqpMessage()
        {
            Properties = new MessageProperties { MessageId = id, ReplyTo = replyTo },
            ApplicationProperties = applicationProperties,
            Body = body,
        };
        var answer = new TaskCompletionSource<AmqpMessage>(TaskCreationOptions.RunContinuationsAsynchronously);
        waiting[id] = answer;
        try
        {
            // Seen after the entry was made: either the reading loop fails it, or this does.
            if (reading.IsCompleted)
            {
                throw Gone();
            }

            await sender
                .TransferAsync(new ReadOnlySequence<byte>(request.Encode()), new OutgoingTransfer { Settled = true }, cancellationToken)
                .ConfigureAwait(false);
            return await answer.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            waiting.TryRemove(id, out _);
        }
    }

    /// <summary>Throws what a status outside of 200 to 299 means.</summary>
    public static void ThrowUnlessSuccess(AmqpMessage answer, EntityLabel entity)
    {
        var status = StatusOf(answer);
        if (status is >= 200 and <= 299)
        {
            return;
        }

        var properties = answer.ApplicationProperties;
        var condition =
            properties?.FindString(AmqpNames.ErrorConditionName) ?? properties?.FindString(AmqpNames.ServiceBusErrorCondition) ?? Failures.ConditionOf(status);
        var description = properties?.FindString(AmqpNames.StatusDescription) ?? properties?.FindString(AmqpNames.ServiceBusStatusDescription);
        throw Failures.Of(new AmqpError(condition, description), entity);
    }

    /// <summary>The status, in either spelling and any integer type or text; 0 when there is none.</summary>
    public static long StatusOf(AmqpMessage answer)
    {
        var properties = answer.ApplicationProperties;
        var status = properties?.FindInteger(AmqpNames.StatusCode) ?? properties?.FindInteger(AmqpNames.ServiceBusStatusCode);
        if (
            status is null
            && long.TryParse(
                properties?.FindString(AmqpNames.StatusCode) ?? properties?.FindString(AmqpNames.ServiceBusStatusCode),
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var text
            )
        )
        {
            return text;
        }

        return status ?? 0;
    }

    public async ValueTask DisposeAsync()
    {
        await closing.CancelAsync().ConfigureAwait(false);
        await reading.ConfigureAwait(false);
        await session.EndQuietlyAsync(retrier).ConfigureAwait(false);
        closing.Dispose();
    }

    // Never faults: its end is told to those who wait.
    private async Task ReadAsync()
    {
        Exception end;
        try
        {
            while (true)
            {
                var delivery = await receiver.ReceiveAsync(closing.Token).ConfigureAwait(false);
                if (!delivery.Settled)
                {
                    receiver.Settle(delivery, Accepted.Instance);
                }

                var answer = AmqpMessage.Decode(delivery.Payload);
                if (answer.Properties?.CorrelationId is string id && waiting.TryRemove(id, out var found))
                {
                    found.TrySetResult(answer);
                }
                else
                {
                    Log.AnswerDropped(retrier.Log, node);
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
            if (waiting.IsEmpty)
            {
                Log.IdleRequestLinkLost(retrier.Log, node, exception);
            }
            else
            {
                Log.RequestLinkLost(retrier.Log, node, waiting.Count, exception);
            }
        }

        foreach (var one in waiting.Values)
        {
            one.TrySetException(end);
        }
    }

    private static AmqpException Gone() => new(AmqpErrorScope.Link, new AmqpError(ErrorCondition.DetachForced, "the link for requests has gone"));
}
