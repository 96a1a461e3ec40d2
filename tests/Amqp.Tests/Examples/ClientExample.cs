using System.Text;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace Examples;

internal static class ClientExample
{
    /// <summary>Sends a text to the node "box", receives the next one from there and reports the outcome of the first.</summary>
    public static async Task<string> RunAsync(string host, int port, string text, CancellationToken cancellationToken)
    {
        var options = new AmqpConnectionOptions { Host = host, Port = port };
        await using var connection = await AmqpConnection.ConnectAsync(options, cancellationToken);
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);

        var sending = new Attach
        {
            Name = "to-box",
            Source = new Source(),
            Target = new Target { Address = "box" },
        };
        var sender = await session.AttachSenderAsync(sending, cancellationToken);
        var message = new AmqpMessage { Body = MessageBody.OfData(Encoding.UTF8.GetBytes(text)) };
        var outcome = await sender.SendAsync(message.Encode(), messageFormat: 0, cancellationToken);

        var receiving = new Attach
        {
            Name = "from-box",
            Source = new Source { Address = "box" },
            Target = new Target(),
        };
        var receiver = await session.AttachReceiverAsync(receiving, initialCredit: 1, cancellationToken);
        var delivery = await receiver.ReceiveAsync(cancellationToken);
        var body = AmqpMessage.Decode(delivery.Payload).Body.Data[0];
        receiver.Settle(delivery, Accepted.Instance);
        return $"{outcome.GetType().Name}: {Encoding.UTF8.GetString(body.Span)}";
    }
}
