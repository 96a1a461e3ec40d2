using System.Globalization;

namespace EventHubThroughput.Events;

internal static class Plural
{
    /// <summary>"1 event", "2 events", "0 events".</summary>
    /// <param name="count">The number.</param>
    /// <param name="one">The singular of the noun. The plural adds an s.</param>
    public static string Format(long count, string one) => string.Create(CultureInfo.InvariantCulture, $"{count} {one}{(count == 1 ? "" : "s")}");
}
