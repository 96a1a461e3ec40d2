using System.Globalization;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>What a running consumer serves to Prometheus.</summary>
internal static class Scrape
{
    /// <summary>The value of the only series of a family.</summary>
    public static double GetValue(string scrape, string name) => GetValues(scrape, name).Single();

    /// <summary>The values of all series of a family.</summary>
    public static IEnumerable<double> GetValues(string scrape, string name) =>
        scrape
            .Split('\n')
            .Where(line => line.StartsWith(name + "{", StringComparison.Ordinal))
            .Select(static line => double.Parse(line.Split(' ')[^1], CultureInfo.InvariantCulture));

    /// <summary>The first scrape in which events have been processed and a checkpoint stored.</summary>
    public static async Task<string> ReadAsync(int port, CancellationToken cancellationToken)
    {
        using var client = new HttpClient();
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(Programs.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(100));
        while (await look.WaitForNextTickAsync(limit.Token))
        {
            try
            {
                var text = await client.GetStringAsync(new Uri($"http://127.0.0.1:{port}/metrics"), limit.Token);
                if (
                    text.Contains("\ncheckpoint_stopwatch{", StringComparison.Ordinal)
                    && GetValues(text, "processed_messagecounter").Any(static value => value > 0)
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
