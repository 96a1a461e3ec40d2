using EventHubThroughput.AzureProtocol;
using Lite = global::Amqp;

namespace EventHubThroughput.Load;

/// <summary>AMQPNetLite.</summary>
internal sealed class LiteAmqpPeer : IAmqpPeer
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly byte[] body = new byte[AmqpCommand.BodyBytes];
    private Lite.Connection? connection;
    private Lite.Session? session;
    private Lite.SenderLink? sender;
    private Lite.ReceiverLink? receiver;
    private Lite.ByteBuffer? encoded;
    private string queue = string.Empty;

    public int Encode()
    {
        encoded = Create().Encode();
        return encoded.Length;
    }

    public int Decode()
    {
        // Decoding moves the buffer's start.
        var message = Lite.Message.Decode(new Lite.ByteBuffer(encoded!.Buffer, encoded.Offset, encoded.Length, encoded.Buffer.Length));
        AmqpCommand.Expect(message.Properties.MessageId == "message-1" && message.ApplicationProperties["number"] is 42L);
        return ((Lite.Framing.Data)message.BodySection).Binary.Length;
    }

    public async Task ConnectAsync(MessagingConnectionString address, string queue, CancellationToken cancellationToken)
    {
        this.queue = queue;
        connection = await new Lite.ConnectionFactory().CreateAsync(
            new Lite.Address(address.Host, address.EffectivePort, address.KeyName, address.Key, "/", "amqp")
        );
        session = new Lite.Session(connection);
        sender = new Lite.SenderLink(session, "sender", queue);
    }

    // Without a time-out the library waits 60 s for an answer, which is a limit too.
    public Task SendAsync(CancellationToken cancellationToken) => sender!.SendAsync(Create());

    public async Task ReceiveAsync(int count, CancellationToken cancellationToken)
    {
        receiver ??= new Lite.ReceiverLink(session, "receiver", queue);
        receiver.SetCredit((int)AmqpCommand.Credit, Lite.CreditMode.Auto);
        for (var i = 0; i < count; i++)
        {
            var message = await receiver.ReceiveAsync(Patience);
            AmqpCommand.Expect(message?.BodySection is Lite.Framing.Data { Binary.Length: AmqpCommand.BodyBytes });
            receiver.Accept(message);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (connection is not null)
        {
            await connection.CloseAsync();
        }
    }

    private Lite.Message Create() =>
        new()
        {
            Properties = new Lite.Framing.Properties { MessageId = "message-1" },
            ApplicationProperties = new Lite.Framing.ApplicationProperties
            {
                ["source"] = "station-17",
                ["number"] = 42L,
                ["final"] = true,
            },
            BodySection = new Lite.Framing.Data { Binary = body },
        };
}
