using Lite = global::Amqp;

namespace EventHubThroughput.Load.Wire;

/// <summary>AMQPNetLite. It cannot send bytes that are already encoded, so its message has a body of nearly the same length.</summary>
internal sealed class LiteWireSender : IWireSender
{
    // Descriptor, constructor and length of the section.
    private readonly byte[] body = new byte[WireRows.TransferBytes - 8];
    private Lite.Connection? connection;
    private Lite.SenderLink? sender;

    public async Task ConnectAsync(int port, CancellationToken cancellationToken)
    {
        connection = await new Lite.ConnectionFactory().CreateAsync(new Lite.Address("127.0.0.1", port, null, null, "/", "amqp"));
        sender = new Lite.SenderLink(new Lite.Session(connection), "sender", WireRows.Address);
    }

    // Without a time-out the library waits 60 s for an answer, which is a limit too.
    public Task SendAsync(CancellationToken cancellationToken) => sender!.SendAsync(new Lite.Message { BodySection = new Lite.Framing.Data { Binary = body } });

    public async ValueTask DisposeAsync()
    {
        if (connection is not null)
        {
            await connection.CloseAsync();
        }
    }
}
