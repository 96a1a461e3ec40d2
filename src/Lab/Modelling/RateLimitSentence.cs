using System.Globalization;
using EventHubThroughput.Profiles;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Modelling;

/// <summary>What keeps a configuration from a higher rate, in words.</summary>
internal static class RateLimitSentence
{
    // From this share of a service's rate on, the service is the limit.
    private const double NearlyAll = 0.9;

    public static string Of(ModelledConfiguration configuration)
    {
        var services = configuration
            .Settings.Writes.SelectMany(GetLimits)
            .Where(limit => configuration.EventsPerSecond >= NearlyAll * limit.PerSecond)
            .OrderBy(static limit => limit.PerSecond)
            .Select(static limit => limit.Words);
        return services.FirstOrDefault(
            configuration.Strategy.Ordering switch
            {
                OrderingGuarantee.Partition => "the events of a partition are written one after another",
                OrderingGuarantee.Key when configuration.Settings.Keys > 0 => Text(
                    $"the events of a key are written one after another, and the most frequent of {configuration.Settings.Keys} keys has {100 * GetLargestShare(configuration):0.##} % of them"
                ),
                _ => "a higher degree gains nothing, because checkpoints, reading or the services are the limit",
            }
        );
    }

    private static IEnumerable<(double PerSecond, string Words)> GetLimits(DescribedWrite write)
    {
        if (write.Law.Concurrency > 0)
        {
            var rate = 1_000 * write.Law.Concurrency / write.Law.MeanMilliseconds;
            yield return (
                rate,
                Text($"write {write.Name} serves {write.Law.Concurrency} concurrently, each in {write.Law.MeanMilliseconds:0.##} ms, at most {rate:0}/s")
            );
        }

        if (write.Law.OperationsPerSecond > 0)
        {
            yield return (write.Law.OperationsPerSecond, Text($"write {write.Name} has a quota of {write.Law.OperationsPerSecond:0.###}/s"));
        }
    }

    private static double GetLargestShare(ModelledConfiguration configuration) =>
        1 / Enumerable.Range(1, configuration.Settings.Keys).Sum(rank => Math.Pow(rank, -configuration.Settings.KeySkew));

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
