using System.Globalization;

namespace EventHubThroughput.Verification;

/// <summary>The run and index that an event carries, as far as the journal recorded them.</summary>
internal readonly record struct Stamp(string? Run, long Index)
{
    private const string RunName = "eht-run";
    private const string IndexName = "eht-index";

    public static Stamp Of(IReadOnlyDictionary<string, string>? properties)
    {
        if (properties is null || !properties.TryGetValue(RunName, out var run))
        {
            return default;
        }

        return properties.TryGetValue(IndexName, out var text)
            && long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var index)
            ? new Stamp(run, index)
            : new Stamp(run, -1);
    }
}
