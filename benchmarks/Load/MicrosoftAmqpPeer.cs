using EventHubThroughput.AzureProtocol;
using Microsoft.Azure.Amqp;
using Microsoft.Azure.Amqp.Encoding;
using Microsoft.Azure.Amqp.Framing;
using Microsoft.Azure.Amqp.Sasl;

namespace EventHubThroughput.Load;

/// <summary>Microsoft.Azure.Amqp, the library below the official packages.</summary>
internal sealed class MicrosoftAmqpPeer : IAmqpPeer
{
    private readonly byte[] body = new byte[AmqpCommand.BodyBytes];
    private AmqpConnection? connection;
    private AmqpSession? session;
    private SendingAmqpLink? sender;
    private ReceivingAmqpLink? receiver;
    private ArraySegment<byte>[] encoded = [];
    private string queue = string.Empty;
    private int tags;

    public int Encode()
    {
        using var message = Create();

        // Its segments are the sections before the body, and the body, which is not copied.
        encoded = message.GetPayload(int.MaxValue, out _);
        return encoded.Sum(static part => part.Count);
    }

    public int Decode()
    {
        using var message = AmqpMessage.CreateAmqpStreamMessage(new BufferListStream(encoded));
        AmqpCommand.Expect(message.Properties.MessageId.ToString() == "message-1" && (long)message.ApplicationProperties.Map[new MapKey("number")] == 42L);
        return ((ArraySegment<byte>)message.DataBody.Single().Value).Count;
    }

    public async Task ConnectAsync(MessagingConnectionString address, string queue, CancellationToken cancellationToken)
    {
        this.queue = queue;
        connection = await new AmqpConnectionFactory().OpenConnectionAsync(
            new Uri($"amqp://{address.Host}:{address.EffectivePort}"),
            new SaslPlainHandler { AuthenticationIdentity = address.KeyName, Password = address.Key },
            cancellationToken
        );
        session = connection.CreateSession(new AmqpSessionSettings());
        await session.OpenAsync(cancellationToken);
        sender = new SendingAmqpLink(session, MicrosoftLinks.ToSend(queue));
        await sender.OpenAsync(cancellationToken);
    }

    public async Task SendAsync(CancellationToken cancellationToken)
    {
        using var message = Create();
        AmqpCommand.Expect(
            await sender!.SendMessageAsync(message, MicrosoftLinks.GetTag(Interlocked.Increment(ref tags)), AmqpConstants.NullBinary, cancellationToken)
                is Accepted
        );
    }

    public async Task ReceiveAsync(int count, CancellationToken cancellationToken)
    {
        if (receiver is null)
        {
            receiver = new ReceivingAmqpLink(session, MicrosoftLinks.ToReceive(queue, AmqpCommand.Credit));
            await receiver.OpenAsync(cancellationToken);
        }

        for (var i = 0; i < count; i++)
        {
            using var message = await receiver.ReceiveMessageAsync(cancellationToken);
            AmqpCommand.Expect(((ArraySegment<byte>)message.DataBody.Single().Value).Count == AmqpCommand.BodyBytes);
            receiver.AcceptMessage(message, settled: true, batchable: true);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (connection is not null)
        {
            await connection.CloseAsync(CancellationToken.None);
        }
    }

    private AmqpMessage Create()
    {
        var message = AmqpMessage.Create(new Data { Value = new ArraySegment<byte>(body) });
        message.Properties.MessageId = "message-1";
        var properties = message.ApplicationProperties.Map;
        properties["source"] = "station-17";
        properties["number"] = 42L;
        properties["final"] = true;
        return message;
    }
}
