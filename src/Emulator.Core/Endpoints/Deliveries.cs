using System.Runtime.CompilerServices;
using EventHubThroughput.Amqp;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>The deliveries of a link until it ends. The enumeration never throws for the end of the link.</summary>
internal static class Deliveries
{
    public static async IAsyncEnumerable<IncomingDelivery> OfAsync(AmqpReceiver receiver, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (true)
        {
            IncomingDelivery delivery;
            try
            {
                delivery = await receiver.ReceiveAsync(cancellationToken);
            }
            catch (AmqpException)
            {
                yield break;
            }
            catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
            {
                yield break;
            }

            yield return delivery;
        }
    }
}
