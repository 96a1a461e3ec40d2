using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Core.Tests;

/// <summary>Messages as clients encode them.</summary>
internal static class Encoded
{
    public static ReadOnlyMemory<byte> Message(string body, string? key = null, object? messageId = null, AmqpMap? properties = null) =>
        new AmqpMessage
        {
            MessageAnnotations = key is null ? null : new AmqpMap { { new AmqpSymbol(AmqpNames.PartitionKey), key } },
            Properties = messageId is null ? null : new MessageProperties { MessageId = messageId },
            ApplicationProperties = properties,
            Body = MessageBody.OfData(Encoding.UTF8.GetBytes(body)),
        }.Encode();

    public static ReadOnlyMemory<byte> Batch(string? key, params ReadOnlyMemory<byte>[] messages) =>
        new AmqpMessage
        {
            MessageAnnotations = key is null ? null : new AmqpMap { { new AmqpSymbol(AmqpNames.PartitionKey), key } },
            Body = MessageBody.OfData(messages),
        }.Encode();

    public static string GetText(AmqpMessage message) => Encoding.UTF8.GetString(message.Body.Data[0].Span);

    public static IncomingEvent Event(string body, string? key = null) => new(MessageParts.Parse(Message(body, key)), key);

    public static MessageContent Content(string id, TimeSpan? life = null, DateTimeOffset? scheduled = null) =>
        MessageContent.Of(
            MessageParts.Parse(
                new AmqpMessage
                {
                    Header = life is { } time ? new MessageHeader { Ttl = (uint)time.TotalMilliseconds } : null,
                    MessageAnnotations = scheduled is { } due
                        ? new AmqpMap { { new AmqpSymbol(AmqpNames.ScheduledEnqueueTime), AmqpTimestamp.From(due) } }
                        : null,
                    Properties = new MessageProperties { MessageId = id },
                    Body = MessageBody.OfData(Encoding.UTF8.GetBytes(id)),
                }.Encode()
            )
        );
}
