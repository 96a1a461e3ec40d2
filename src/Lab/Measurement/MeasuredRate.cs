namespace EventHubThroughput.Lab.Measurement;

/// <summary>
/// The one rate of a run, wherever it is told: the events completed since the warm-up and the time in which they were, from a single
/// reading of both.
/// </summary>
internal readonly record struct MeasuredRate(long Events, TimeSpan Time)
{
    /// <summary>Null until an event of the section is complete.</summary>
    public double? EventsPerSecond => Time > TimeSpan.Zero && Events > 0 ? Events / Time.TotalSeconds : null;
}
