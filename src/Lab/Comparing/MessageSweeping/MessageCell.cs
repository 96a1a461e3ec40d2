using System.Globalization;
using System.Text.Json.Serialization;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>One point of the grid.</summary>
/// <param name="Concurrency">Messages at one time.</param>
/// <param name="Threads">The least threads of the pool. 0 is the runtime's own.</param>
/// <param name="Cores">Processors that the process may use.</param>
/// <param name="MemoryGib">Memory that the process may use, in GiB.</param>
/// <param name="Repeat">Its number among the points with the same settings, from 0.</param>
/// <param name="Clients">The family of clients of the processor. Results of before 2026-11-28 name none: they are of the built-in one.</param>
/// <param name="IsFixed">Whether the least threads are also the most.</param>
/// <param name="Build">The folder of another build that runs the processor. Null is the running one.</param>
[method: JsonConstructor]
internal readonly record struct MessagePoint(
    int Concurrency,
    int Threads,
    int Cores,
    int MemoryGib,
    int Repeat,
    string Clients = MessagePoint.BuiltIn,
    bool IsFixed = false,
    string? Build = null
)
{
    /// <summary>The name of the built-in family.</summary>
    public const string BuiltIn = "builtin";

    private const long Gibibyte = 1L << 30;

    /// <summary>The threads as the option has them.</summary>
    [JsonIgnore]
    public string ThreadText => Threads == 0 ? "default" : string.Create(CultureInfo.InvariantCulture, $"{(IsFixed ? "=" : "")}{Threads}");

    /// <summary>The clients, and the build that they belong to.</summary>
    [JsonIgnore]
    public string ClientsText => Build is null ? Clients : $"{Clients} of build {Build}";

    [JsonIgnore]
    public long MemoryBytes => MemoryGib * Gibibyte;

    // Three quarters, the share that the runtime takes of a container's memory.
    [JsonIgnore]
    public long HeapBytes => MemoryBytes / 4 * 3;

    public override string ToString() =>
        $"concurrency {Concurrency}, threads {ThreadText}, {Cores} {(Cores == 1 ? "core" : "cores")}, {MemoryGib} GiB, {ClientsText}";
}

/// <summary>A point that was run. Missing is null and never 0.</summary>
internal sealed record MessageCell
{
    /// <summary>Where it is in the grid.</summary>
    public required MessagePoint Point { get; init; }

    /// <summary>The build and the packages of the processor in a comparison of builds. Null without one.</summary>
    public ProgramDetails? Program { get; init; }

    /// <summary>Why it has no figures, or null.</summary>
    public string? Failure { get; init; }

    /// <summary>What limited its rate or makes it doubtful: input, emulator, profile. Empty when no limit was seen.</summary>
    public required IReadOnlyList<string> Bounds { get; init; }

    /// <summary>Messages forwarded and completed a second.</summary>
    public double? MessagesPerS { get; init; }

    /// <summary>What the profile's latencies alone would allow.</summary>
    public required double ModelPerS { get; init; }

    /// <summary>Processor time of the measured process, in percent of its cores, over all of it and in the busiest second.</summary>
    public double? CpuMeanPercent { get; init; }

    /// <inheritdoc cref="CpuMeanPercent"/>
    public double? CpuMaxPercent { get; init; }

    /// <summary>Processor time of emulator, feeder and drainer together, in percent of the machine's cores.</summary>
    public double? OthersCpuPercent { get; init; }

    /// <summary>Largest resident memory of the measured process.</summary>
    public long? PeakRssBytes { get; init; }

    /// <summary>Locks that had expired when their messages were settled.</summary>
    public long? LocksLost { get; init; }

    /// <summary>Messages given back.</summary>
    public long? Abandoned { get; init; }

    /// <summary>The most messages at one time.</summary>
    public int? MostHandling { get; init; }

    /// <summary>The most threads of its pool, and the least that it had to keep.</summary>
    public int? MostThreads { get; init; }

    /// <inheritdoc cref="MostThreads"/>
    public int? LeastThreads { get; init; }

    /// <summary>The most work that waited for a thread.</summary>
    public long? MostWaiting { get; init; }

    /// <summary>Processors and memory as its runtime saw them.</summary>
    public int? ProcessorCountSeen { get; init; }

    /// <inheritdoc cref="ProcessorCountSeen"/>
    public long? HeapLimitBytes { get; init; }

    /// <summary>Messages sent a second, and how many of all that were sent were left at the end.</summary>
    public double? InputPerS { get; init; }

    /// <inheritdoc cref="InputPerS"/>
    public long? BacklogLeft { get; init; }

    /// <summary>Messages forwarded, and those that arrived.</summary>
    public long? Forwarded { get; init; }

    /// <inheritdoc cref="Forwarded"/>
    public long? Drained { get; init; }

    /// <summary>Mean latencies that the emulator kept.</summary>
    public double? SendMeanMs { get; init; }

    /// <inheritdoc cref="SendMeanMs"/>
    public double? SettleMeanMs { get; init; }

    /// <summary>Whether the rate may be reported as a figure of this machine. It may if only the processor itself limited it.</summary>
    [JsonIgnore]
    public bool IsSound => MessagesPerS is not null && Bounds.Count == 0;
}
