using System.Buffers;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>A node that answers requests: <c>$cbs</c> and <c>$management</c>. One per connection and address.</summary>
internal sealed class RequestNode(string path, ReplyLinks replies, Func<AmqpMessage, Answer> answer, TimeProvider clock, RequestConditions conditions)
{
    // The memory that a hostile peer can occupy is this number, times the size of a request, times the permitted number of links.
    private const uint RequestCredit = 20;
    private const ulong MaximumTokenBytes = 64 * 1024;
    private const ulong MaximumRequestBytes = 1_048_576;

    // A client that gives no credit for its answers loses them. Other clients are not affected.
    private static readonly TimeSpan ReplyLimit = TimeSpan.FromSeconds(60);

    public async ValueTask ServeAsync(LinkRequest request, CancellationToken cancellationToken)
    {
        if (request.PeerIsSender)
        {
            if (!replies.TryAddRequester())
            {
                request.Refuse(new AmqpError(ErrorCondition.ResourceLimitExceeded, "The connection has too many links for requests."));
                return;
            }

            try
            {
                // Only requests to Service Bus entities carry messages.
                var limit = path is AmqpNames.CbsAddress or AmqpNames.ManagementAddress ? MaximumTokenBytes : MaximumRequestBytes;
                var receiver = request.AcceptReceiver(new LinkAnswer { MaxMessageSize = limit }, RequestCredit);
                receiver.SetPrefetch(RequestCredit);
                await AnswerAllAsync(receiver, cancellationToken);
            }
            finally
            {
                replies.RemoveRequester();
            }

            return;
        }

        var sender = request.AcceptSender(new LinkAnswer());
        replies.Add(path, sender);
        await sender.Completion;
        replies.Remove(sender);
    }

    private async Task AnswerAllAsync(AmqpReceiver receiver, CancellationToken cancellationToken)
    {
        await foreach (var delivery in Deliveries.OfAsync(receiver, cancellationToken))
        {
            AmqpMessage? request = null;
            DeliveryState outcome = Accepted.Instance;
            try
            {
                request = AmqpMessage.Decode(delivery.Payload);
            }
            catch (AmqpException exception)
            {
                // An answer could not name its request, and the client would wait for ever.
                outcome = new Rejected(exception.Error);
                EmulatorLog.RequestRefused(conditions.Log, path, 400, exception);
            }

            if (!delivery.Settled)
            {
                receiver.Settle(delivery, outcome);
            }

            if (request is not null)
            {
                await AnswerOneAsync(receiver.Session, request, cancellationToken);
            }
        }
    }

    private async Task AnswerOneAsync(AmqpSession session, AmqpMessage request, CancellationToken cancellationToken)
    {
        var messageId = request.Properties?.MessageId;
        ReadOnlyMemory<byte> encoded;
        try
        {
            if (await conditions.AnswerAsync(session.Connection, request, answer, cancellationToken) is not { } given)
            {
                return;
            }

            if (given.Status is 401 or 403 or >= 500)
            {
                EmulatorLog.RequestRefused(conditions.Log, path, given.Status, exception: null);
            }

            encoded = given.Encode(messageId);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return;
        }
        catch (AmqpException exception)
        {
            EmulatorLog.RequestRefused(conditions.Log, path, 400, exception);
            encoded = new Answer(400, exception.Error.Description ?? "Bad request", exception.Error.Condition.Value).Encode(messageId);
        }
        catch (Exception exception)
        {
            EmulatorLog.RequestFailed(conditions.Log, path, exception);

            // A request that cannot be served must not stop the node.
            encoded = new Answer(500, "The request could not be served", ErrorCondition.InternalError).Encode(messageId);
        }

        if (replies.Find(session, path, request.Properties?.ReplyTo) is not { } link)
        {
            EmulatorLog.AnswerLost(conditions.Log, path, exception: null);
            return;
        }

        using var limit = new CancellationTokenSource(ReplyLimit, clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            // Sent settled: a disposition would have no effect, and no client requires one.
            await link.TransferAsync(
                new ReadOnlySequence<byte>(encoded),
                new OutgoingTransfer { Settled = link.RemoteAttach.SndSettleMode != SenderSettleMode.Unsettled },
                either.Token
            );
        }
        catch (AmqpException exception)
        {
            // The reply link has ended, so the answer has no reader.
            EmulatorLog.AnswerLost(conditions.Log, path, exception);
        }
        catch (OperationCanceledException exception) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            // No credit in time. The next answer may get some.
            EmulatorLog.AnswerLost(conditions.Log, path, exception);
        }
    }
}
