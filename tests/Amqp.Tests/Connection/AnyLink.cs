using System.Buffers;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Takes every link and sends on those that receive.</summary>
internal sealed class AnyLink : ILinkAcceptor
{
    public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
    {
        if (request.PeerIsSender)
        {
            request.AcceptReceiver(new LinkAnswer(), 10);
            return;
        }

        var sender = request.AcceptSender(new LinkAnswer());
        await sender.TransferAsync(new ReadOnlySequence<byte>(new byte[100]), new OutgoingTransfer(), cancellationToken);
    }
}
