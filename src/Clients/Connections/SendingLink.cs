using System.Runtime.CompilerServices;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Events.Pooling;

namespace EventHubThroughput.Clients.Connections;

/// <summary>
/// A link that sends to one address. It is opened when first needed and again after a failure. Concurrent senders share it, and their transfers are
/// pipelined.
/// </summary>
internal sealed class SendingLink(ServiceConnection connection, EntityLabel entity, string address, string clientId, AmqpMap properties) : IAsyncDisposable
{
    private readonly SemaphoreSlim opening = new(1, 1);

    // Written while `opening` is held.
    private volatile AmqpSender? current;
    private volatile bool disposed;

    /// <summary>Called after a message was written to the socket completely. Must not block.</summary>
    public Action? Written { get; init; }

    /// <summary>The largest batch that the link accepts, in bytes. <see cref="long.MaxValue"/> when the service names no limit.</summary>
    public ValueTask<long> BatchLimitAsync(CancellationToken cancellationToken) =>
        current is { IsOpen: true } open
            ? ValueTask.FromResult(GetBatchLimit(open.MaxMessageSize, open.RemoteAttach.Properties))
            : connection.Retrier.RunAsync(
                this,
                static async (link, token) =>
                {
                    var opened = await link.OpenAsync(token).ConfigureAwait(false);
                    return GetBatchLimit(opened.MaxMessageSize, opened.RemoteAttach.Properties);
                },
                entity,
                cancellationToken
            );

    /// <summary>
    /// The limit of a batch: the link's limit of a message, or the limit of batches that Service Bus announces if that is less. An absent value or 0 means no
    /// limit. Source: pull request 57941 of Azure/azure-sdk-for-net, where the value is a long.
    /// </summary>
    /// <param name="messageLimit">The link's limit of a message. 0 for none.</param>
    /// <param name="properties">The properties of the service's attach, or null.</param>
    public static long GetBatchLimit(ulong messageLimit, AmqpMap? properties) =>
        Math.Min(GetLimit(messageLimit), properties?.FindInteger(AmqpNames.MaxMessageBatchSize) is > 0 and var most ? most : long.MaxValue);

    /// <summary>Sends an encoded message until the service has accepted it, or it failed for good.</summary>
    /// <returns>Always true.</returns>
    public ValueTask<bool> SendAsync(ReadOnlyMemory<byte> payload, uint messageFormat, CancellationToken cancellationToken) =>
        connection.Retrier.RunAsync(
            (Link: this, Payload: payload, Format: messageFormat, Caller: cancellationToken),
            static (state, token) => state.Link.SendOnceAsync(state.Payload, state.Format, state.Caller, token),
            entity,
            cancellationToken
        );

    public async ValueTask DisposeAsync()
    {
        disposed = true;
        if (current is { } sender)
        {
            await sender.Session.EndQuietlyAsync(connection.Retrier).ConfigureAwait(false);
        }
    }

    private static long GetLimit(ulong limit) => limit is > 0 and < long.MaxValue ? (long)limit : long.MaxValue;

    private static bool IsSilence(Exception exception) => exception is OperationCanceledException or AmqpException { Scope: AmqpErrorScope.Timeout };

    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    private async ValueTask<bool> SendOnceAsync(ReadOnlyMemory<byte> payload, uint format, CancellationToken caller, CancellationToken cancellationToken)
    {
        var sender = current is { IsOpen: true } open ? open : await OpenAsync(cancellationToken).ConfigureAwait(false);
        if (payload.Length > GetLimit(sender.MaxMessageSize))
        {
            throw new MessagingException(
                FailureKind.TooLarge,
                $"message of {payload.Length:N0} bytes exceeds the limit of {GetLimit(sender.MaxMessageSize):N0}"
            );
        }

        DeliveryState state;
        try
        {
            state = await sender.SendAsync(payload, format, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (IsSilence(exception) && !caller.IsCancellationRequested)
        {
            // No answer: it is unknown whether the message was stored, and the link may be dead. The next try gets a new one.
            Log.SendUnanswered(connection.Retrier.Log, entity.ToString(), address, exception);
            await sender.Session.EndQuietlyAsync(connection.Retrier).ConfigureAwait(false);
            throw;
        }
        catch (AmqpException exception) when (exception.Scope == AmqpErrorScope.Link)
        {
            throw connection.GetFailure(exception, entity, address);
        }

        return state switch
        {
            Accepted => true,
            Rejected { Error: { } error } => throw Failures.Of(error, entity),
            Rejected => throw new MessagingException(FailureKind.Permanent, $"{entity}: rejected without a reason"),
            _ => throw new MessagingException(FailureKind.Transient, $"{entity}: the service gave the message back"),
        };
    }

    private async ValueTask<AmqpSender> OpenAsync(CancellationToken cancellationToken)
    {
        // Before the lock: a caller that waits for the connection must report the connection and not another sender as the cause.
        await connection.GetAsync(cancellationToken).ConfigureAwait(false);
        await opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ObjectDisposedException.ThrowIf(disposed, this);
            if (current is { IsOpen: true } open)
            {
                return open;
            }

            if (current is { } broken)
            {
                Log.SendingLinkLost(connection.Retrier.Log, entity.ToString(), address);
                await broken.Session.EndQuietlyAsync(connection.Retrier).ConfigureAwait(false);
            }

            return current = await AttachAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            opening.Release();
        }
    }

    private async Task<AmqpSender> AttachAsync(CancellationToken cancellationToken)
    {
        var session = await connection.BeginSessionAsync(address, entity, cancellationToken).ConfigureAwait(false);
        try
        {
            var sender = await session
                .AttachSenderAsync(
                    new Attach
                    {
                        Name = $"{clientId}:{Guid.NewGuid():N}",
                        Source = new Source { Address = clientId },
                        Target = new Target { Address = address },
                        Properties = properties,
                    },
                    cancellationToken
                )
                .ConfigureAwait(false);
            sender.TransferWritten = Written;
            return sender;
        }
        catch
        {
            await session.EndQuietlyAsync(connection.Retrier).ConfigureAwait(false);
            throw;
        }
    }
}
