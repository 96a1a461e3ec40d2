namespace EventHubThroughput.Lab.Results;

/// <summary>The parts of the run's time, in seconds.</summary>
internal sealed record TimeFigures
{
    /// <summary>From the start until the first batch. Null when there was none.</summary>
    public double? ClaimS { get; init; }

    /// <summary>From the first batch until the measured section. Null when there was none.</summary>
    public double? WarmupS { get; init; }

    /// <summary>The measured section. Null when nothing was measured.</summary>
    public double? MeasuredS { get; init; }

    /// <summary>From the end of the intake until the last completion. Null where no event came.</summary>
    public double? DrainS { get; init; }

    /// <summary>Whether measuring ended early, because the rate was far below the best of a sweep. Null without a rate to compare with.</summary>
    public bool? EndedEarly { get; init; }

    /// <summary>Whether the last six windows show neither a trend nor more scatter than the run's own times explain. Null with fewer windows.</summary>
    public bool? Settled { get; init; }

    /// <summary>The completions of the measured section over time, in windows of one length. Empty where it was shorter than one.</summary>
    public IReadOnlyList<TimeWindow> Windows
    {
        get;
        init => field = Given.OrEmpty(value);
    } = [];

    /// <summary>From the end of the measured section, where a partition of several ran dry or the time to measure had ended, until the last completion. Null when none did.</summary>
    public double? TailS { get; init; }
}

/// <summary>A window of the measured section.</summary>
internal sealed record TimeWindow
{
    /// <summary>When it began, since the beginning of the measured section, in seconds.</summary>
    public required double StartS { get; init; }

    /// <summary>Events that were completed in it.</summary>
    public required long Events { get; init; }

    /// <summary>Events a second.</summary>
    public required double EventsPerS { get; init; }

    /// <summary>
    /// Mean time of these events from their scheduled send time, or else from when they were enqueued, until every sink had them. Null without any.
    /// </summary>
    public double? EndToEndMs { get; init; }

    /// <summary>The mean number of events in flight in it, over all partitions. Null in results of earlier versions.</summary>
    public double? MeanInFlight { get; init; }

    /// <summary>Processor time of the consumer in it, in seconds. Null where it was not read around it.</summary>
    public double? CpuS { get; init; }
}
