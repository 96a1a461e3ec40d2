using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Ends connections on which nothing comes: the server's own limit for headers begins with their first byte, and the one for
/// idle connections is as long as clients keep theirs between requests.
/// </summary>
internal static class FirstByte
{
    public static async Task AwaitAsync(ConnectionContext connection, TimeSpan limit, ConnectionDelegate next)
    {
        var stopping = connection.Features.Get<IConnectionLifetimeNotificationFeature>()?.ConnectionClosedRequested ?? CancellationToken.None;
        using var late = new CancellationTokenSource(limit, TimeProvider.System);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(late.Token, stopping);
        try
        {
            var input = connection.Transport.Input;
            var first = await input.ReadAsync(end.Token);

            // Nothing is taken, and nothing counts as seen: whoever reads next gets it at once.
            input.AdvanceTo(first.Buffer.Start);
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException)
        {
            return;
        }

        await next(connection);
    }
}
