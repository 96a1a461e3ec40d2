using System.Text.RegularExpressions;

namespace EventHubThroughput.Metrics;

// What the format demands of names, and what keeps the series of a family comparable.
internal static partial class MetricSyntax
{
    public static void Check(string name, MetricKind kind, double[] upperBounds, string[] labelNames)
    {
        Require(MetricName().IsMatch(name), name, "not a metric name.");
        foreach (var label in labelNames)
        {
            Require(LabelName().IsMatch(label) && !label.StartsWith("__", StringComparison.Ordinal), label, "not a label name.");
            Require(kind != MetricKind.Histogram || label != "le", name, "'le' is the buckets' own label.");
        }

        Require(labelNames.Distinct(StringComparer.Ordinal).Count() == labelNames.Length, name, "a label is given twice.");
        if (kind == MetricKind.Histogram)
        {
            Require(upperBounds.Length > 0 && upperBounds.All(double.IsFinite), name, "a histogram has finite upper bounds.");
            Require(upperBounds.Zip(upperBounds.Skip(1)).All(pair => pair.First < pair.Second), name, "the upper bounds ascend.");
        }
    }

    public static void CheckSame(MetricFamily family, string help, MetricKind kind, double[] upperBounds, string[] labelNames)
    {
        Require(family.Kind == kind, family.Name, $"already a {family.Kind}, not a {kind}.");
        Require(family.Help == help, family.Name, "the family has another help text.");
        Require(
            family.LabelNames.SequenceEqual(labelNames, StringComparer.Ordinal),
            family.Name,
            $"the family has other labels: {string.Join(", ", family.LabelNames)}."
        );
        Require(family.UpperBounds.SequenceEqual(upperBounds), family.Name, "the family has other upper bounds.");
    }

    /// <summary>The dotted name and the unit that listeners of the meter see.</summary>
    public static (string Name, string? Unit) MeterName(string name)
    {
        var stem = name.EndsWith("_total", StringComparison.Ordinal) ? name[..^"_total".Length] : name;
        var (suffix, unit) = stem switch
        {
            _ when stem.EndsWith("_seconds", StringComparison.Ordinal) => ("_seconds", "s"),
            _ when stem.EndsWith("_bytes", StringComparison.Ordinal) => ("_bytes", "By"),
            _ => (string.Empty, null),
        };
        return (stem[..^suffix.Length].Replace('_', '.').ToLowerInvariant(), unit);
    }

    private static void Require(bool holds, string name, string problem)
    {
        if (!holds)
        {
            throw new ArgumentException($"'{name}': {problem}", nameof(name));
        }
    }

    [GeneratedRegex("^[a-zA-Z_:][a-zA-Z0-9_:]*\\z", RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex MetricName();

    [GeneratedRegex("^[a-zA-Z_][a-zA-Z0-9_]*\\z", RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex LabelName();
}
