using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Load.Wire;

/// <summary><c>src/Amqp</c>.</summary>
internal sealed class OwnWireListener : IWireListener
{
    private readonly AmqpListener listener = AmqpListener.Start(new AmqpListenerOptions(), static _ => new Acceptor());

    public int Port => listener.LocalEndPoint.Port;

    public ValueTask DisposeAsync() => listener.DisposeAsync();

    private sealed class Acceptor : ILinkAcceptor
    {
        public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            var receiver = request.AcceptReceiver(new LinkAnswer(), 0);
            receiver.SetPrefetch(WireRows.Credit);
            try
            {
                while (true)
                {
                    receiver.Settle(await receiver.ReceiveAsync(cancellationToken), Accepted.Instance);
                }
            }
            catch (AmqpException)
            {
                // The sender has disconnected.
            }
        }
    }
}
