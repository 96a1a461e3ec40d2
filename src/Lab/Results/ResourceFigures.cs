namespace EventHubThroughput.Lab.Results;

/// <summary>What the processes of the run used.</summary>
internal sealed record ResourceFigures
{
    /// <summary>The consumer, in the measured section.</summary>
    public required ConsumerResources Consumer { get; init; }

    /// <summary>The emulator of an embedded run, in the measured section.</summary>
    public required EmulatorResources Emulator { get; init; }

    /// <summary>The sender of an embedded run, over its whole life.</summary>
    public required SenderResources Sender { get; init; }
}

/// <summary>What the consumer used in the measured section.</summary>
internal sealed record ConsumerResources
{
    /// <summary>Processor time in seconds.</summary>
    public double? CpuS { get; init; }

    /// <summary>Processor time for an event, in microseconds.</summary>
    public double? CpuUsPerEvent { get; init; }

    /// <summary>The largest resident memory, in bytes.</summary>
    public long? PeakRssBytes { get; init; }

    /// <summary>The mean resident memory, read once a second, in bytes. Null where the section was shorter than that.</summary>
    public long? MeanRssBytes { get; init; }

    /// <summary>Managed memory allocated for an event, in bytes.</summary>
    public double? AllocatedBytesPerEvent { get; init; }

    /// <summary>Garbage collections of the generations 0, 1 and 2.</summary>
    public required IReadOnlyList<int> GcCount { get; init; }

    /// <summary>How long these paused the program, in milliseconds.</summary>
    public required double GcPauseMs { get; init; }

    /// <summary>The longest of these pauses, in milliseconds. Null where there was none.</summary>
    public double? GcPauseMaxMs { get; init; }

    /// <summary>Processor time by the time measured and the processors counted with, in percent. Null where it was not read.</summary>
    public double? CpuPercentPerCore { get; init; }

    /// <summary>The threads of the thread pool, read ten times a second. Null where the section was shorter than that.</summary>
    public ThreadFigures? Threads { get; init; }

    /// <summary>The most work that waited for a thread of the pool when that was read. Null as with the threads.</summary>
    public long? ThreadPoolQueueMax { get; init; }

    /// <summary>The percentile 99 of that, of readings ten times a second. Null with fewer than a hundred of them.</summary>
    public long? ThreadPoolQueueP99 { get; init; }

    /// <summary>Open files and sockets at the end of the section. Null where the system does not report them.</summary>
    public int? Handles { get; init; }

    /// <summary>How often a thread had to wait for a lock. Null in results of earlier versions.</summary>
    public long? LockContentions { get; init; }
}

/// <summary>Threads over the measured section.</summary>
internal sealed record ThreadFigures
{
    /// <summary>Their mean.</summary>
    public required double Mean { get; init; }

    /// <summary>The most.</summary>
    public required int Max { get; init; }
}

/// <summary>What the emulator used in the measured section. Null where it is not the run's own.</summary>
internal sealed record EmulatorResources
{
    /// <summary>Processor time in seconds.</summary>
    public double? CpuS { get; init; }

    /// <summary>Processor time for an event, in microseconds.</summary>
    public double? CpuUsPerEvent { get; init; }

    /// <summary>Processor time by the time measured and the processors of the machine, in percent.</summary>
    public double? CpuPercentPerCore { get; init; }

    /// <summary>The largest resident memory, in bytes.</summary>
    public long? PeakRssBytes { get; init; }

    /// <summary>The mean resident memory, read once a second, in bytes. Null where the section was shorter than that.</summary>
    public long? MeanRssBytes { get; init; }
}

/// <summary>What the sender used over its whole life.</summary>
internal sealed record SenderResources
{
    /// <summary>Processor time in seconds. Null where there was none or it ended before it was read.</summary>
    public double? CpuS { get; init; }

    /// <summary>Processor time by its life and the processors of the machine, in percent. Null as above.</summary>
    public double? CpuPercentPerCore { get; init; }

    /// <summary>The largest resident memory that was seen, in bytes. Null as above.</summary>
    public long? PeakRssBytes { get; init; }
}
