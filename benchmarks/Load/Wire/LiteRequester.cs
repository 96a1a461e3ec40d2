using Lite = global::Amqp;

namespace EventHubThroughput.Load.Wire;

/// <summary>AMQPNetLite, with messages of no bytes.</summary>
internal sealed class LiteRequester : IWireSender
{
    private readonly ReplyGate gate = new();
    private Lite.Connection? connection;
    private Lite.SenderLink? requests;

    public async Task ConnectAsync(int port, CancellationToken cancellationToken)
    {
        connection = await new Lite.ConnectionFactory().CreateAsync(new Lite.Address("127.0.0.1", port, null, null, "/", "amqp"));
        var session = new Lite.Session(connection);
        new Lite.ReceiverLink(session, WireRows.Replies, WireRows.Replies).Start(
            (int)WireRows.Credit,
            (link, reply) =>
            {
                link.Accept(reply);
                gate.Release();
            }
        );
        requests = new Lite.SenderLink(session, WireRows.Requests, WireRows.Requests);
    }

    public async Task SendAsync(CancellationToken cancellationToken)
    {
        await requests!.SendAsync(LiteWireListener.CreateEmpty());
        await gate.WaitAsync(cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        if (connection is not null)
        {
            await connection.CloseAsync();
        }

        gate.Dispose();
    }
}
