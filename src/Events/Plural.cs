using System.Globalization;

namespace EventHubThroughput.Events;

/// <summary>Counts as people read them.</summary>
internal static class Plural
{
    /// <summary>"1 event", "2 events", "0 events".</summary>
    /// <param name="count">How many.</param>
    /// <param name="one">The word for one of them. The plural adds an s.</param>
    public static string Format(long count, string one) => string.Create(CultureInfo.InvariantCulture, $"{count} {one}{(count == 1 ? "" : "s")}");
}
