using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Interop;

/// <summary>Links and messages of our library to servers that know nothing of Azure.</summary>
internal static class PlainLinks
{
    public static Attach To(string address) =>
        new()
        {
            Name = $"to-{address}",
            Role = LinkRole.Sender,
            Source = new Source(),
            Target = new Target { Address = address },
            InitialDeliveryCount = 0,
        };

    public static Attach From(string address) =>
        new()
        {
            Name = $"from-{address}",
            Role = LinkRole.Receiver,
            Source = new Source { Address = address },
            Target = new Target(),
        };

    public static ReadOnlyMemory<byte> GetMessage(byte[] body, string subject) =>
        new AmqpMessage
        {
            Properties = new MessageProperties { Subject = subject },
            Body = MessageBody.OfData(body),
        }.Encode();
}
