using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Detaches a link with a reason. Waits for a limited time.</summary>
internal static class LinkShutdown
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    public static async Task DetachAsync(AmqpLink link, AmqpError error, TimeProvider clock)
    {
        using var limit = new CancellationTokenSource(Limit, clock);
        try
        {
            await link.DetachAsync(error, limit.Token);
        }
        catch (Exception exception) when (exception is AmqpException or OperationCanceledException)
        {
            // The link has ended, or its peer does not answer. The end of its session ends it.
        }
    }
}
