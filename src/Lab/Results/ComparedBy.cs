using System.Text.Json.Serialization;

namespace EventHubThroughput.Lab.Results;

/// <summary>The figure of a cell that ratios and words refer to. Earlier results hold its number, which is read as well.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<ComparedBy>))]
internal enum ComparedBy
{
    /// <summary>Events a second, of a hub that was filled before.</summary>
    [JsonStringEnumMemberName("rate")]
    Rate,

    /// <summary>The median of an event's time from its scheduled send time until every sink has it. For a hub with a send rate.</summary>
    [JsonStringEnumMemberName("p50")]
    P50,

    /// <summary>The percentile 99 of that time.</summary>
    [JsonStringEnumMemberName("p99")]
    P99,

    /// <summary>The largest rate, in events a second, at which events do not wait ever longer.</summary>
    [JsonStringEnumMemberName("sustained")]
    Sustained,
}
