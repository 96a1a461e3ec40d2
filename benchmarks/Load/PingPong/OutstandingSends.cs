using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Load.PingPong;

/// <summary>Sends of the same message in flight. The oldest must be awaited before the limit is exceeded.</summary>
internal sealed class OutstandingSends(AmqpSender sender, byte[] message, uint limit)
{
    private readonly ValueTask<DeliveryState>[] sends = new ValueTask<DeliveryState>[limit];
    private long begun;

    /// <summary>The send whose place the next one takes. It is complete while there is room. It must be awaited only once.</summary>
    public ValueTask<DeliveryState> Oldest => begun < sends.Length ? ValueTask.FromResult<DeliveryState>(Accepted.Instance) : sends[begun % sends.Length];

    /// <summary>Sends. The oldest send must have been awaited before.</summary>
#pragma warning disable CA2012 // Each is awaited once: when its place is needed again, or at the end.
    public void Send(CancellationToken cancellationToken) => sends[begun++ % sends.Length] = sender.SendAsync(message, 0, cancellationToken);
#pragma warning restore CA2012

    public async Task EndAsync()
    {
        for (var left = Math.Min(begun, sends.Length); left > 0; left--)
        {
            AmqpCommand.Expect(await sends[(begun - left) % sends.Length] is Accepted);
        }

        begun = 0;
    }
}
