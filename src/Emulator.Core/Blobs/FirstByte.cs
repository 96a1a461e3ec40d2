using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Ends connections that send nothing. The server's limit for headers begins with their first byte. Its limit for idle connections is as long as clients keep
/// them between requests.
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

            // No byte is consumed or examined, so the next reader gets them immediately.
            input.AdvanceTo(first.Buffer.Start);
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException)
        {
            return;
        }

        await next(connection);
    }
}
