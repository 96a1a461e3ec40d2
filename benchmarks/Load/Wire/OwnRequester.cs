using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Load.Wire;

/// <summary><c>src/Amqp</c>: a request is a data section of no bytes.</summary>
internal sealed class OwnRequester : IWireSender
{
    private static readonly byte[] Message = [0x00, 0x53, 0x75, 0xa0, 0x00];

    private readonly ReplyGate gate = new();
    private AmqpConnection? connection;
    private AmqpSender? requests;
    private Task receiving = Task.CompletedTask;

    public async Task ConnectAsync(int port, CancellationToken cancellationToken)
    {
        connection = await AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Host = "127.0.0.1",
                Port = port,
                UseTls = false,
            },
            cancellationToken
        );
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        var replies = await session.AttachReceiverAsync(
            new Attach
            {
                Name = WireRows.Replies,
                Role = LinkRole.Receiver,
                Source = new Source { Address = WireRows.Replies },
                Target = new Target { Address = "here" },
            },
            0,
            cancellationToken
        );
        replies.SetPrefetch(WireRows.Credit);
        receiving = ReceiveAsync(replies);
        requests = await session.AttachSenderAsync(
            new Attach
            {
                Name = WireRows.Requests,
                Role = LinkRole.Sender,
                Source = new Source { Address = "here" },
                Target = new Target { Address = WireRows.Requests },
            },
            cancellationToken
        );
    }

    public async Task SendAsync(CancellationToken cancellationToken)
    {
        AmqpCommand.Expect(await requests!.SendAsync(Message, 0, cancellationToken) is Accepted);
        await gate.WaitAsync(cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        if (connection is not null)
        {
            await connection.DisposeAsync();
        }

        await receiving;
        gate.Dispose();
    }

    private async Task ReceiveAsync(AmqpReceiver replies)
    {
        try
        {
            while (true)
            {
                var reply = await replies.ReceiveAsync(CancellationToken.None);
                AmqpCommand.Expect(reply.Payload.Span.SequenceEqual(Message));
                replies.Settle(reply, Accepted.Instance);
                gate.Release();
            }
        }
        catch (AmqpException)
        {
            // Disconnected.
        }
    }
}
