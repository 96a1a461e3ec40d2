using System.Threading.Channels;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;

namespace Examples;

/// <summary>A listener with one node: it keeps the messages that it gets for any receiver.</summary>
internal sealed class BoxExample : ILinkAcceptor
{
    private readonly Channel<ReadOnlyMemory<byte>> box = Channel.CreateBounded<ReadOnlyMemory<byte>>(1_000);

    public static AmqpListener Listen(int port)
    {
        var acceptor = new BoxExample();
        return AmqpListener.Start(new AmqpListenerOptions { Port = port }, _ => acceptor);
    }

    public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken) =>
        request.PeerIsSender
            ? TakeAsync(request.AcceptReceiver(new LinkAnswer(), initialCredit: 100), cancellationToken)
            : GiveAsync(request.AcceptSender(new LinkAnswer()), cancellationToken);

    private async ValueTask TakeAsync(AmqpReceiver receiver, CancellationToken cancellationToken)
    {
        receiver.SetPrefetch(100);
        while (true)
        {
            var delivery = await receiver.ReceiveAsync(cancellationToken);
            await box.Writer.WriteAsync(delivery.Payload, cancellationToken);
            receiver.Settle(delivery, Accepted.Instance);
        }
    }

    private async ValueTask GiveAsync(AmqpSender sender, CancellationToken cancellationToken)
    {
        while (true)
        {
            await sender.WaitForCreditAsync(cancellationToken);
            await sender.SendAsync(await box.Reader.ReadAsync(cancellationToken), messageFormat: 0, cancellationToken);
        }
    }
}
