using System.Globalization;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Load.Article;

/// <summary>
/// The figures that Prometheus would compute from the scrapes of one run: the average of <c>irate</c> (the rate between two consecutive scrapes) and the
/// averages of the gauges. Only scrapes within the measured section count.
/// </summary>
internal sealed class ScrapeSeries
{
    // At least this share of the time between two scrapes must be measured.
    private const double Whole = 0.98;

    private readonly List<Sample> samples = [];

    /// <summary>Takes a scrape.</summary>
    /// <param name="seconds">The time of the request.</param>
    /// <param name="text">The answer, in Prometheus' text format.</param>
    public void Add(double seconds, string text)
    {
        var values = Read(text);
        samples.Add(new Sample(seconds, values));
    }

    /// <summary>The number of scrapes that count.</summary>
    public int Count => Pairs().Count();

    /// <summary>Events a second: the average of the rates between two scrapes. Null with fewer than two scrapes.</summary>
    public double? MeanRate =>
        Mean(
            Pairs()
                .Select(static pair =>
                    (pair.Next[MetricNames.ProcessedMessageCounter] - pair.Last[MetricNames.ProcessedMessageCounter]) / (pair.Next.Seconds - pair.Last.Seconds)
                )
        );

    /// <summary>The average of a gauge over the scrapes. Null with fewer than two scrapes.</summary>
    /// <param name="name">The gauge.</param>
    public double? GetMean(string name) => Mean(Pairs().Select(pair => pair.Next[name]));

    private IEnumerable<(Sample Last, Sample Next)> Pairs() =>
        samples
            .Zip(samples.Skip(1))
            .Where(static pair =>
                pair.First[MetricNames.MeasuredSeconds] > 0
                && pair.Second[MetricNames.MeasuredSeconds] - pair.First[MetricNames.MeasuredSeconds] >= Whole * (pair.Second.Seconds - pair.First.Seconds)
            );

    private static double? Mean(IEnumerable<double> values)
    {
        var all = values.ToList();
        return all.Count == 0 ? null : all.Average();
    }

    // Adds up the series of one name: the counter has one for each partition. The gauges have one partition only.
    private static Dictionary<string, double> Read(string text)
    {
        var values = new Dictionary<string, double>(StringComparer.Ordinal);
        foreach (var line in text.Split('\n'))
        {
            var end = line.LastIndexOf(' ');
            if (line.StartsWith('#') || end <= 0)
            {
                continue;
            }

            var name = line[..(line.IndexOf('{') is > 0 and var labels ? labels : end)];
            values[name] = values.GetValueOrDefault(name) + double.Parse(line[(end + 1)..], CultureInfo.InvariantCulture);
        }

        return values;
    }

    private sealed record Sample(double Seconds, IReadOnlyDictionary<string, double> Values)
    {
        public double this[string name] => Values.GetValueOrDefault(name);
    }
}
