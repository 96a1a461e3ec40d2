using System.Buffers;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Load;

/// <summary><c>src/Amqp</c>.</summary>
internal sealed class OwnAmqpPeer : IAmqpPeer
{
    private readonly byte[] body = new byte[AmqpCommand.BodyBytes];
    private readonly ArrayBufferWriter<byte> encoded = new(2 * AmqpCommand.BodyBytes);
    private AmqpConnection? connection;
    private AmqpSession? session;
    private AmqpSender? sender;
    private AmqpReceiver? receiver;
    private string queue = string.Empty;

    public int Encode()
    {
        encoded.ResetWrittenCount();
        Create().Encode(encoded);
        return encoded.WrittenCount;
    }

    public int Decode()
    {
        var message = AmqpMessage.Decode(encoded.WrittenMemory);
        AmqpCommand.Expect(message.Properties?.MessageId as string == "message-1" && message.ApplicationProperties?["number"] is 42L);
        return message.Body.Data[0].Length;
    }

    public async Task ConnectAsync(MessagingConnectionString address, string queue, CancellationToken cancellationToken)
    {
        this.queue = queue;
        connection = await AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Host = address.Host,
                Port = address.EffectivePort,
                UseTls = false,
                Sasl = new SaslCredential(address.KeyName!, address.Key!),
            },
            cancellationToken
        );
        session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        sender = await session.AttachSenderAsync(
            new Attach
            {
                Name = "sender",
                Role = LinkRole.Sender,
                Source = new Source { Address = "here" },
                Target = new Target { Address = queue },
            },
            cancellationToken
        );
    }

    public async Task SendAsync(CancellationToken cancellationToken) =>
        AmqpCommand.Expect(await sender!.SendAsync(Create().Encode(), 0, cancellationToken) is Accepted);

    public async Task ReceiveAsync(int count, CancellationToken cancellationToken)
    {
        receiver ??= await session!.AttachReceiverAsync(
            new Attach
            {
                Name = "receiver",
                Role = LinkRole.Receiver,
                Source = new Source { Address = queue },
                Target = new Target { Address = "here" },
            },
            0,
            cancellationToken
        );
        receiver.SetPrefetch(AmqpCommand.Credit);
        for (var i = 0; i < count; i++)
        {
            var delivery = await receiver.ReceiveAsync(cancellationToken);
            AmqpCommand.Expect(AmqpMessage.Decode(delivery.Payload).Body.Data[0].Length == AmqpCommand.BodyBytes);
            receiver.Settle(delivery, Accepted.Instance);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (connection is not null)
        {
            await connection.DisposeAsync();
        }
    }

    private AmqpMessage Create() =>
        new()
        {
            Properties = new MessageProperties { MessageId = "message-1" },
            ApplicationProperties = new AmqpMap
            {
                { "source", "station-17" },
                { "number", 42L },
                { "final", true },
            },
            Body = MessageBody.OfData(body),
        };
}
