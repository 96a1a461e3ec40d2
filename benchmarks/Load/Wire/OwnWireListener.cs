using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Load.PingPong;

namespace EventHubThroughput.Load.Wire;

/// <summary><c>src/Amqp</c>.</summary>
internal sealed class OwnWireListener : IWireListener
{
    private readonly AmqpListener listener = AmqpListener.Start(new AmqpListenerOptions(), static _ => new Acceptor());

    public int Port => listener.LocalEndPoint.Port;

    public ValueTask DisposeAsync() => listener.DisposeAsync();

    private sealed class Acceptor : ILinkAcceptor
    {
        // The link that a requester attaches before the one of its requests.
        private readonly TaskCompletionSource<AmqpSender> replies = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            if (!request.PeerIsSender)
            {
                replies.SetResult(request.AcceptSender(new LinkAnswer()));
                return;
            }

            var receiver = request.AcceptReceiver(new LinkAnswer(), 0);
            receiver.SetPrefetch(WireRows.Credit);
            var sends = request.Attach.Name == WireRows.Requests ? new OutstandingSends(await replies.Task, PingPongRun.Message, WireRows.Credit) : null;
            try
            {
                while (true)
                {
                    receiver.Settle(await receiver.ReceiveAsync(cancellationToken), Accepted.Instance);
                    if (sends is not null)
                    {
                        AmqpCommand.Expect(await sends.Oldest is Accepted);
                        sends.Send(cancellationToken);
                    }
                }
            }
            catch (AmqpException)
            {
                // The sender has disconnected.
            }
        }
    }
}
