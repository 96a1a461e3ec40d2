using System.Text.Json.Serialization;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>What a worker reports of itself in its last line.</summary>
internal sealed record WorkerReport
{
    /// <summary>The build and the packages of its clients.</summary>
    public ProgramDetails? Program { get; init; }

    /// <summary>Messages that it has sent, forwarded or drained, from its start to its end.</summary>
    public long Messages { get; init; }

    /// <summary>Messages completed while it was measured.</summary>
    public long Completed { get; init; }

    /// <summary>For how long it was measured, or ran.</summary>
    public double Seconds { get; init; }

    /// <summary>Processor time a core while it was measured, in percent, on average and in the busiest second.</summary>
    public double CpuMeanPercent { get; init; }

    /// <inheritdoc cref="CpuMeanPercent"/>
    public double CpuMaxPercent { get; init; }

    /// <summary>Its largest resident memory.</summary>
    public long PeakRssBytes { get; init; }

    /// <summary>Messages whose locks had expired when they were settled, from its start to its end.</summary>
    public long LocksLost { get; init; }

    /// <summary>Messages given back, from its start to its end.</summary>
    public long Abandoned { get; init; }

    /// <summary>The most messages at one time.</summary>
    public int MostHandling { get; init; }

    /// <summary>Threads of the pool, at the most of all seconds.</summary>
    public int MostThreads { get; init; }

    /// <summary>Work that waited for a thread of the pool, at the most of all seconds.</summary>
    public long MostWaiting { get; init; }

    /// <summary>The least threads of the pool.</summary>
    public int LeastThreads { get; init; }

    /// <summary>Processors as the runtime sees them.</summary>
    public int ProcessorCount { get; init; }

    /// <summary>Memory as the collector sees it.</summary>
    public long HeapLimitBytes { get; init; }
}

/// <summary>The JSON form of workers and sweeps.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    RespectNullableAnnotations = true
)]
[JsonSerializable(typeof(WorkerReport))]
[JsonSerializable(typeof(MessageSweepResult))]
internal sealed partial class MessageSweepContext : JsonSerializerContext;
