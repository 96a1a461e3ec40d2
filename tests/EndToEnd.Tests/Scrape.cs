using System.Net;
using System.Net.Sockets;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>What a running consumer serves to Prometheus.</summary>
internal static class Scrape
{
    public static int FreePort()
    {
        using TcpListener free = new(IPAddress.Loopback, 0);
        free.Start();
        return ((IPEndPoint)free.LocalEndpoint).Port;
    }

    /// <summary>The first scrape in which events have been processed and a checkpoint stored.</summary>
    public static async Task<string> ReadAsync(int port, CancellationToken cancellationToken)
    {
        using HttpClient client = new() { Timeout = TimeSpan.FromSeconds(5) };
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(Programs.Limit);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(100));
        while (await look.WaitForNextTickAsync(limit.Token))
        {
            try
            {
                string text = await client.GetStringAsync(new Uri($"http://127.0.0.1:{port}/metrics"), limit.Token);
                if (
                    text.Contains("\ncheckpoint_stopwatch{", StringComparison.Ordinal)
                    && !text.Contains("processed_messagecounter{} 0", StringComparison.Ordinal)
                )
                {
                    return text;
                }
            }
            catch (HttpRequestException)
            {
                // Not listening yet.
            }
        }

        throw new TimeoutException("the metrics endpoint never answered");
    }
}
