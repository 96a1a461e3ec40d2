using System.Runtime.CompilerServices;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events.Pooling;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>Sends messages over one link. Concurrent sends are pipelined on it.</summary>
internal sealed class BuiltInMessageSender(ServiceConnection connection, string entity, Action<OperationStep>? observer) : IMessageSender
{
    private const int LongestMessageId = 128;

    private readonly SendingLink link = new(connection, EntityLabel.Messages(entity), entity, Guid.NewGuid().ToString("N"), new AmqpMap())
    {
        Written = observer is null ? null : () => observer(new OperationStep(OperationMoment.OnTheWire, entity)),
    };

    // Pooled: called for every message, and many calls wait concurrently.
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))]
    public async ValueTask SendAsync(OutgoingMessage message, CancellationToken cancellationToken)
    {
        var buffer = new RentedBuffer();
        try
        {
            Encode(message, buffer);
            await link.SendAsync(buffer.Written, 0, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            buffer.Release();
        }
    }

    public async ValueTask SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken)
    {
        if (messages.Count == 0)
        {
            return;
        }

        if (messages.Count == 1)
        {
            await SendAsync(messages[0], cancellationToken).ConfigureAwait(false);
            return;
        }

        var limit = await link.BatchLimitAsync(cancellationToken).ConfigureAwait(false);
        var batch = new RentedBuffer();
        try
        {
            MessageWriter.WriteProperties(batch, messages[0].MessageId, null);
            foreach (var message in messages)
            {
                var start = batch.Length;
                MessageWriter.ReserveDataHeader(batch);
                Encode(message, batch);
                MessageWriter.FillDataHeader(batch, start);
                if (batch.Length > limit)
                {
                    throw new MessagingException(FailureKind.TooLarge, $"batch of {messages.Count:N0} messages exceeds the limit of {limit:N0} bytes");
                }
            }

            await link.SendAsync(batch.Written, AmqpNames.BatchFormat, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            batch.Release();
        }
    }

    /// <summary>Opens the link. Returns the most bytes of a batch.</summary>
    public ValueTask<long> GetBatchLimitAsync(CancellationToken cancellationToken) => link.BatchLimitAsync(cancellationToken);

    public ValueTask DisposeAsync() => link.DisposeAsync();

    private static void Encode(OutgoingMessage message, RentedBuffer buffer)
    {
        if (message.MessageId.Length is 0 or > LongestMessageId)
        {
            throw new MessagingException(FailureKind.Permanent, $"message-id of {message.MessageId.Length} characters, allowed 1 to {LongestMessageId}");
        }

        MessageWriter.WriteProperties(buffer, message.MessageId, message.ContentType);
        MessageWriter.WriteEncodedProperties(buffer, message.EncodedProperties);
        MessageWriter.WriteBody(buffer, message.BodyKind, message.Body);
    }
}
