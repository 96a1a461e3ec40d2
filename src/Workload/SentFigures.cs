using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace EventHubThroughput.Workload;

/// <summary>What a sender reports at its end: a line of JSON for programs, sentences for people.</summary>
public sealed record SentFigures
{
    /// <summary>Below this share of the rate that was meant the load is not the one that was asked for.</summary>
    public const double LeastShare = 0.99;

    /// <summary>The run that the events name.</summary>
    public required string Run { get; init; }

    /// <summary>The event hub.</summary>
    public required string Hub { get; init; }

    /// <summary>Events that were to be sent.</summary>
    public required long Intended { get; init; }

    /// <summary>Events that were tried.</summary>
    public required long Attempted { get; init; }

    /// <summary>Events that the hub acknowledged.</summary>
    public required long Acknowledged { get; init; }

    /// <summary>Events that the hub refused.</summary>
    public required long Failed { get; init; }

    /// <summary>Events whose answer never came.</summary>
    public required long Unknown { get; init; }

    /// <summary>How long sending took, in seconds.</summary>
    public required double TookS { get; init; }

    /// <summary>Events a second that were acknowledged.</summary>
    public required double AchievedPerS { get; init; }

    /// <summary>Events a second that the schedule meant. Null where events are sent as fast as they are taken.</summary>
    public double? IntendedPerS { get; init; }

    /// <summary>How long after its time an event was sent at most, in milliseconds. Null without a schedule.</summary>
    public double? MostLateMs { get; init; }

    /// <summary>Whether less was sent than was meant.</summary>
    [JsonIgnore]
    public bool IsShort => AchievedPerS < LeastShare * IntendedPerS;

    /// <summary>The rate as a sentence.</summary>
    [JsonIgnore]
    public string RateSentence =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"achieved {AchievedPerS:N1}{(IntendedPerS is { } meant ? $" of {meant:N1}" : "")} events/s{(MostLateMs is { } late ? $", at most {late / 1000:N3} s after the scheduled send time" : "")}"
        );

    /// <summary>What became of the events, as a sentence.</summary>
    [JsonIgnore]
    public string Summary =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"run {Run}: {Acknowledged:N0} of {Intended:N0} events acknowledged by '{Hub}' in {TookS:N3} s, {Failed:N0} failed, {Unknown:N0} unknown{(Intended - Attempted is > 0 and var left ? $", {left:N0} not tried" : "")}"
        );

    /// <summary>One line of JSON.</summary>
    public string Write() => JsonSerializer.Serialize(this, SentFiguresContext.Default.SentFigures);

    /// <summary>Reads a line of JSON.</summary>
    /// <exception cref="JsonException">It is not the report of a sender.</exception>
    public static SentFigures Read(string line) => JsonSerializer.Deserialize(line, SentFiguresContext.Default.SentFigures) ?? throw new JsonException("null");
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(SentFigures))]
internal sealed partial class SentFiguresContext : JsonSerializerContext;
