using Microsoft.Azure.Amqp;
using Microsoft.Azure.Amqp.Framing;

namespace EventHubThroughput.Load.Wire;

/// <summary>Microsoft.Azure.Amqp, with messages of no bytes.</summary>
internal sealed class MicrosoftRequester : IWireSender
{
    private readonly ReplyGate gate = new();
    private AmqpConnection? connection;
    private SendingAmqpLink? requests;
    private int tags;

    public async Task ConnectAsync(int port, CancellationToken cancellationToken)
    {
        connection = await new AmqpConnectionFactory().OpenConnectionAsync(new Uri($"amqp://127.0.0.1:{port}"), cancellationToken);
        var session = connection.CreateSession(new AmqpSessionSettings());
        await session.OpenAsync(cancellationToken);
        var replies = new ReceivingAmqpLink(session, MicrosoftLinks.ToReceive(WireRows.Replies, WireRows.Credit));
        replies.RegisterMessageListener(reply =>
        {
            replies.AcceptMessage(reply, settled: true, batchable: true);
            reply.Dispose();
            gate.Release();
        });
        await replies.OpenAsync(cancellationToken);
        requests = new SendingAmqpLink(session, MicrosoftLinks.ToSend(WireRows.Requests));
        await requests.OpenAsync(cancellationToken);
    }

    public async Task SendAsync(CancellationToken cancellationToken)
    {
        using var message = MicrosoftLinks.CreateEmpty();
        AmqpCommand.Expect(
            await requests!.SendMessageAsync(message, MicrosoftLinks.GetTag(Interlocked.Increment(ref tags)), AmqpConstants.NullBinary, cancellationToken)
                is Accepted
        );
        await gate.WaitAsync(cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        if (connection is not null)
        {
            await connection.CloseAsync(CancellationToken.None);
        }

        gate.Dispose();
    }
}
