using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace EventHubThroughput.Workload;

/// <summary>The report of a sender at its end: a line of JSON for programs, and sentences for readers.</summary>
public sealed record SentFigures
{
    /// <summary>The lowest share of the scheduled rate at which the load counts as the requested one.</summary>
    public const double LeastShare = 0.99;

    /// <summary>The run of the events.</summary>
    public required string Run { get; init; }

    /// <summary>The event hub.</summary>
    public required string Hub { get; init; }

    /// <summary>Events that were scheduled.</summary>
    public required long Intended { get; init; }

    /// <summary>Events that the sender tried to send.</summary>
    public required long Attempted { get; init; }

    /// <summary>Events that the hub acknowledged.</summary>
    public required long Acknowledged { get; init; }

    /// <summary>Events that the hub refused.</summary>
    public required long Failed { get; init; }

    /// <summary>Events without an answer.</summary>
    public required long Unknown { get; init; }

    /// <summary>The duration of sending, in seconds.</summary>
    public required double TookS { get; init; }

    /// <summary>Acknowledged events a second.</summary>
    public required double AchievedPerS { get; init; }

    /// <summary>Scheduled events a second. Null if events are sent as fast as the hub accepts them.</summary>
    public double? IntendedPerS { get; init; }

    /// <summary>The longest delay of an event after its scheduled send time, in milliseconds. Null without a schedule.</summary>
    public double? MostLateMs { get; init; }

    /// <summary>Whether the rate is below <see cref="LeastShare"/> of the scheduled one.</summary>
    [JsonIgnore]
    public bool IsShort => AchievedPerS < LeastShare * IntendedPerS;

    /// <summary>The rate as a sentence.</summary>
    [JsonIgnore]
    public string RateSentence =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"achieved {AchievedPerS:N1}{(IntendedPerS is { } meant ? $" of {meant:N1}" : "")} events/s{(MostLateMs is { } late ? $", at most {late / 1000:N3} s after the scheduled send time" : "")}"
        );

    /// <summary>The outcomes of the events, as a sentence.</summary>
    [JsonIgnore]
    public string Summary =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"run {Run}: {Acknowledged:N0} of {Intended:N0} events acknowledged by '{Hub}' in {TookS:N3} s, {Failed:N0} failed, {Unknown:N0} unknown{(Intended - Attempted is > 0 and var left ? $", {left:N0} not tried" : "")}"
        );

    /// <summary>One line of JSON.</summary>
    public string Write() => JsonSerializer.Serialize(this, SentFiguresContext.Default.SentFigures);

    /// <summary>Reads a line of JSON.</summary>
    /// <exception cref="JsonException">The line is not the report of a sender.</exception>
    public static SentFigures Read(string line) => JsonSerializer.Deserialize(line, SentFiguresContext.Default.SentFigures) ?? throw new JsonException("null");
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(SentFigures))]
internal sealed partial class SentFiguresContext : JsonSerializerContext;
