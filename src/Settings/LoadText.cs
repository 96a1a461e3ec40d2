using System.Globalization;

namespace EventHubThroughput.Settings;

/// <summary>Rates over time and sizes with their weights in the form of options, so that one program can pass them to another.</summary>
public static class LoadText
{
    /// <summary>The shortest form: 100/s, or 100/s,500/s@30s.</summary>
    public static string OfRates(IEnumerable<(double PerSecond, TimeSpan From)> steps) =>
        string.Join(',', steps.Select(static step => $"{Number(step.PerSecond)}/s{(step.From > TimeSpan.Zero ? $"@{DurationText.Format(step.From)}" : "")}"));

    /// <summary>The shortest form: 1024, or 64:90,4096:10.</summary>
    public static string OfSizes(IReadOnlyList<(int Size, int Weight)> sizes) =>
        sizes is [var (size, _)]
            ? size.ToString(CultureInfo.InvariantCulture)
            : string.Join(',', sizes.Select(static one => string.Create(CultureInfo.InvariantCulture, $"{one.Size}:{one.Weight}")));

    private static string Number(double value) => value.ToString(CultureInfo.InvariantCulture);
}
