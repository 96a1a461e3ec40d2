using System.Buffers;
using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>Sends messages over one link; concurrent sends are pipelined on it.</summary>
internal sealed class BuiltInMessageSender(ServiceConnection connection, string entity, Action<OperationStep>? observer) : IMessageSender
{
    private const int LongestMessageId = 128;
    private const int LargestBatch = 1_048_576;
    private const int MostMessages = 4500;

    // Larger buffers are not kept: one huge message must not hold its memory for ever.
    private const int LargestKept = 262_144;
    private const int MostKept = 256;

    private readonly SendingLink link = new(connection, EntityLabel.Messages(entity), entity, Guid.NewGuid().ToString("N"), new AmqpMap())
    {
        Written = observer is null ? null : () => observer(new OperationStep(OperationMoment.OnTheWire, entity)),
    };

    private readonly ConcurrentBag<ArrayBufferWriter<byte>> buffers = [];

    public async Task SendAsync(OutgoingMessage message, CancellationToken cancellationToken)
    {
        var buffer = Rent();
        try
        {
            Encode(message, buffer);
            await link.SendAsync(buffer.WrittenMemory, 0, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Return(buffer);
        }
    }

    public async Task SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken)
    {
        if (messages.Count <= 1)
        {
            await (messages.Count == 0 ? Task.CompletedTask : SendAsync(messages[0], cancellationToken)).ConfigureAwait(false);
            return;
        }

        if (messages.Count > MostMessages)
        {
            throw new MessagingException(FailureKind.TooLarge, $"batch of {messages.Count:N0} messages exceeds the limit of {MostMessages:N0}");
        }

        var batch = Rent();
        var single = Rent();
        try
        {
            MessageWriter.WriteProperties(batch, messages[0].MessageId, null);
            foreach (var message in messages)
            {
                single.ResetWrittenCount();
                Encode(message, single);
                MessageWriter.WriteDataHeader(batch, single.WrittenCount);
                batch.Write(single.WrittenSpan);
            }

            if (batch.WrittenCount > LargestBatch)
            {
                throw new MessagingException(FailureKind.TooLarge, $"batch of {batch.WrittenCount:N0} bytes exceeds the limit of {LargestBatch:N0}");
            }

            await link.SendAsync(batch.WrittenMemory, AmqpNames.BatchFormat, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Return(single);
            Return(batch);
        }
    }

    public ValueTask DisposeAsync() => link.DisposeAsync();

    private static void Encode(OutgoingMessage message, ArrayBufferWriter<byte> buffer)
    {
        if (message.MessageId.Length is 0 or > LongestMessageId)
        {
            throw new MessagingException(FailureKind.Permanent, $"message-id of {message.MessageId.Length} characters, allowed 1 to {LongestMessageId}");
        }

        MessageWriter.WriteProperties(buffer, message.MessageId, message.ContentType);
        MessageWriter.WriteEncodedProperties(buffer, message.EncodedProperties);
        MessageWriter.WriteBody(buffer, message.BodyKind, message.Body);
    }

    private ArrayBufferWriter<byte> Rent() => buffers.TryTake(out var buffer) ? buffer : new ArrayBufferWriter<byte>();

    private void Return(ArrayBufferWriter<byte> buffer)
    {
        if (buffer.Capacity <= LargestKept && buffers.Count < MostKept)
        {
            buffer.ResetWrittenCount();
            buffers.Add(buffer);
        }
    }
}
