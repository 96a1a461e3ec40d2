using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Load.Wire;

/// <summary><c>src/Amqp</c>.</summary>
internal sealed class OwnWireSender : IWireSender
{
    private readonly byte[] message = new byte[WireRows.TransferBytes];
    private AmqpConnection? connection;
    private AmqpSender? sender;

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
        sender = await session.AttachSenderAsync(
            new Attach
            {
                Name = "sender",
                Role = LinkRole.Sender,
                Source = new Source { Address = "here" },
                Target = new Target { Address = WireRows.Address },
            },
            cancellationToken
        );
    }

    public async Task SendAsync(CancellationToken cancellationToken) => AmqpCommand.Expect(await sender!.SendAsync(message, 0, cancellationToken) is Accepted);

    public ValueTask DisposeAsync() => connection?.DisposeAsync() ?? ValueTask.CompletedTask;
}
