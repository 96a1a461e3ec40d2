namespace EventHubThroughput.Lab.Results;

/// <summary>The rate of the measured section.</summary>
internal sealed record ThroughputFigures
{
    /// <summary>Events that were completed in it.</summary>
    public required long Events { get; init; }

    /// <summary>Events a second. Null when nothing was measured.</summary>
    public double? EventsPerS { get; init; }

    /// <summary>Standard deviation by mean of the rates of the windows, as a share. Null with fewer than two windows, or where nothing was completed.</summary>
    public double? WindowCv { get; init; }

    /// <summary>The rate of the last minute by that of the first one, less 1. Null in a section of less than two minutes.</summary>
    public double? FirstToLastMinuteDrift { get; init; }

    /// <summary>
    /// The bodies of these events, in 10^6 bytes a second, by the mean size that was chosen. Null where no size was chosen or nothing was measured.
    /// </summary>
    public double? MbPerS { get; init; }

    /// <summary>Events that were completed after a partition of several had run dry or the time to measure had ended, which no rate counts. Null when none did.</summary>
    public long? TailEvents { get; init; }

    /// <summary>The rate of events of a mean size, in 10^6 bytes a second.</summary>
    public static double? GetMegabytes(double? eventsPerS, double? meanBytes) => eventsPerS * meanBytes / 1_000_000;
}
