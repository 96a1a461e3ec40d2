namespace EventHubThroughput.Consumer.Results;

/// <summary>What the consumer ran on, as it was seen by its runtime.</summary>
internal sealed record MachineDetails
{
    /// <summary>The operating system.</summary>
    public required string Os { get; init; }

    /// <summary>The model of the processor; null where the system does not tell.</summary>
    public string? CpuModel { get; init; }

    /// <summary>The mean number of processes that wanted to run in the minute before the end; null where the system does not tell.</summary>
    public double? LoadAverage { get; init; }

    /// <summary>The processors that the process may use.</summary>
    public required int ProcessorCountSeen { get; init; }

    /// <summary>The memory that the process may use, in bytes.</summary>
    public required long MemoryBytes { get; init; }

    /// <summary>The runtime.</summary>
    public required string Runtime { get; init; }

    /// <summary>Whether the server's garbage collector is on.</summary>
    public required bool GcServer { get; init; }

    /// <summary>Whether methods are compiled again by what was seen of them; null where the runtime decides.</summary>
    public bool? TieredPgo { get; init; }

    /// <summary>Whether garbage is collected beside the program.</summary>
    public required bool GcConcurrent { get; init; }

    /// <summary>The resolution of the clock that durations are measured by, in nanoseconds.</summary>
    public required long TimerResolutionNs { get; init; }
}
