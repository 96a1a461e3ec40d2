using Microsoft.Azure.Amqp;
using Microsoft.Azure.Amqp.Framing;

namespace EventHubThroughput.Load.Wire;

/// <summary>Microsoft.Azure.Amqp. It cannot send bytes that are already encoded, so its message has a body of nearly the same length.</summary>
internal sealed class MicrosoftWireSender : IWireSender
{
    // Descriptor, constructor and length of the section.
    private readonly byte[] body = new byte[WireRows.TransferBytes - 8];
    private AmqpConnection? connection;
    private SendingAmqpLink? sender;
    private int tags;

    public async Task ConnectAsync(int port, CancellationToken cancellationToken)
    {
        connection = await new AmqpConnectionFactory().OpenConnectionAsync(new Uri($"amqp://127.0.0.1:{port}"), cancellationToken);
        var session = connection.CreateSession(new AmqpSessionSettings());
        await session.OpenAsync(cancellationToken);
        sender = new SendingAmqpLink(session, MicrosoftLinks.ToSend(WireRows.Address));
        await sender.OpenAsync(cancellationToken);
    }

    public async Task SendAsync(CancellationToken cancellationToken)
    {
        using var message = AmqpMessage.Create(new Data { Value = new ArraySegment<byte>(body) });
        AmqpCommand.Expect(
            await sender!.SendMessageAsync(message, MicrosoftLinks.GetTag(Interlocked.Increment(ref tags)), AmqpConstants.NullBinary, cancellationToken)
                is Accepted
        );
    }

    public async ValueTask DisposeAsync()
    {
        if (connection is not null)
        {
            await connection.CloseAsync(CancellationToken.None);
        }
    }
}
