namespace EventHubThroughput.Lab.Results;

/// <summary>The machine of the consumer, as its runtime reports it.</summary>
internal sealed record MachineDetails
{
    /// <summary>The operating system.</summary>
    public required string Os { get; init; }

    /// <summary>The model of the processor. Null where the system does not report it.</summary>
    public string? CpuModel { get; init; }

    /// <summary>The mean number of processes that wanted to run in the minute before the end. Null where the system does not report it.</summary>
    public double? LoadAverage { get; init; }

    /// <summary>The cores of the machine, of which each may run several threads concurrently. Null where the system does not report them.</summary>
    public int? CoresPhysical { get; init; }

    /// <summary>The processors that the system lets the process run on. Null where the system does not report them.</summary>
    public int? CoresAllowed { get; init; }

    /// <summary>What keeps the process from some processors: none, taskset or cgroup. Null where the system does not report it.</summary>
    public LimitMethod? LimitMethod { get; init; }

    /// <summary>The processors that the runtime counts with.</summary>
    public required int ProcessorCountSeen { get; init; }

    /// <summary>The memory that the process may use, in bytes.</summary>
    public required long MemoryBytes { get; init; }

    /// <summary>The most bytes of managed memory, where a limit was set. Null without.</summary>
    public long? HeapHardLimitBytes { get; init; }

    /// <summary>The runtime.</summary>
    public required string Runtime { get; init; }

    /// <summary>Whether the server's garbage collector is on.</summary>
    public required bool GcServer { get; init; }

    /// <summary>Whether the collector fits its heaps to what the program needs, 0 or 1. Null where it does not report this.</summary>
    public long? GcDynamicAdaptation { get; init; }

    /// <summary>The threads that the thread pool makes without waiting. Null in results of earlier versions.</summary>
    public int? ThreadPoolMin { get; init; }

    /// <summary>Whether methods are compiled again with a profile of their calls. Null where the runtime decides.</summary>
    public bool? TieredPgo { get; init; }

    /// <summary>Whether the collector runs concurrently with the program.</summary>
    public required bool GcConcurrent { get; init; }

    /// <summary>The resolution of the clock that durations are measured by, in nanoseconds.</summary>
    public required long TimerResolutionNs { get; init; }
}

/// <summary>What keeps a process from some of the machine's processors.</summary>
internal enum LimitMethod
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>It may run only on some of them.</summary>
    Taskset,

    /// <summary>A control group gives it a share of their time.</summary>
    Cgroup,
}
