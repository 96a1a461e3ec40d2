using System.Text.Json.Serialization;
using EventHubThroughput.Clients;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry.Logs;
using EventHubThroughput.Telemetry.Otlp;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>
/// The load of an embedded run, its emulator and its sender. Null for the folder of ledger and journal deletes them. Null for the rate of the sender fills the
/// hub before the run. The emulator's own rate is null where it was not measured on this machine.
/// </summary>
internal sealed record LoadOptions(
    int Events,
    int Partitions,
    string Profile,
    BodySizes Size,
    int Keys,
    string? Keep,
    string? Faults = null,
    string? Rate = null,
    string Clients = ClientFamily.Official,
    int? EmulatorCeiling = null
)
{
    /// <summary>Zipf exponent of the keys. 0: all equally frequent.</summary>
    public double KeySkew { get; init; }

    /// <summary>The partition that all events go to. Null leaves that to keys or to the hub.</summary>
    public int? Partition { get; init; }

    /// <summary>The file whose events are replayed. Null generates them.</summary>
    public string? Input { get; init; }

    /// <summary>The field of the file that is the partition key. Null sends without keys.</summary>
    public string? KeyField { get; init; }

    /// <summary>The number of events. Null where only the file determines it.</summary>
    public int? KnownEvents => Input is null ? Events : null;

    /// <summary>Consumer groups of the hub beside the default one, for runs that read the same events.</summary>
    public IReadOnlyList<string> Groups { get; init; } = [];

    /// <summary>How many hubs hold these events, each all of them.</summary>
    public int Hubs { get; init; } = 1;

    /// <summary>Whether messages go to a topic with one subscription instead of a queue.</summary>
    public bool Topic { get; init; }

    /// <summary>Where its sender sends metrics and traces as well. Null sends none.</summary>
    public OtlpOptions? Otlp { get; init; }

    /// <summary>The folder in which Prometheus finds a sender that runs beside the consumer. Null serves no metrics of it.</summary>
    public string? MetricsTargets { get; init; }

    /// <summary>How long the emulator may take to start.</summary>
    public TimeSpan StartLimit { get; init; } = EmulatorStart.UsualLimit;

    /// <summary>The log settings of the programs that an embedded run starts. Their lines appear among its own. Null leaves it to the environment.</summary>
    [JsonIgnore]
    public LogChoice? Log { get; init; }
}

/// <summary>The sizes of the bodies that a run sends.</summary>
/// <param name="Text">The text of the option: 1024, or 64:90,4096:10.</param>
/// <param name="Mean">Their mean in bytes.</param>
internal sealed record BodySizes(string Text, double Mean)
{
    /// <summary>The smallest of them in bytes.</summary>
    public required int Least { get; init; }

    /// <summary>The largest of them in bytes.</summary>
    public required int Most { get; init; }

    /// <summary>The sizes of a run without this option.</summary>
    public static BodySizes Usual { get; } = Of([(1024, 1)]);

    /// <summary>The sizes of these weights.</summary>
    public static BodySizes Of(IReadOnlyList<(int Size, int Weight)> parts) =>
        new(LoadText.OfSizes(parts), parts.Sum(static part => (double)part.Size * part.Weight) / parts.Sum(static part => (double)part.Weight))
        {
            Least = parts.Min(static part => part.Size),
            Most = parts.Max(static part => part.Size),
        };
}
