using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>
/// The coordinator of transactions (AMQP 1.0, part 4). A client that may begin a transaction attaches to it before any other link, so the attach is accepted.
/// Every declaration of a transaction is rejected.
/// </summary>
internal static class TransactionCoordinator
{
    private const uint Credit = 20;
    private const ulong MaximumBytes = 4 * 1024;

    public static async ValueTask ServeAsync(LinkRequest request, CancellationToken cancellationToken)
    {
        var receiver = request.AcceptReceiver(new LinkAnswer { MaxMessageSize = MaximumBytes }, Credit);
        receiver.SetPrefetch(Credit);
        await foreach (var delivery in Deliveries.OfAsync(receiver, cancellationToken))
        {
            if (!delivery.Settled)
            {
                receiver.Settle(delivery, new Rejected(Refusals.NotSupported("Transactions are")));
            }
        }
    }
}
