using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>The measured section in windows of one length, and whether they show that it had settled.</summary>
internal static class MeasuredWindows
{
    private static readonly TimeSpan LongWindow = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan ShortWindow = TimeSpan.FromSeconds(1);

    /// <summary>Windows of 5 s, or of 1 s where six of those would not fit in.</summary>
    public static IReadOnlyList<TimeWindow> Of(RunFigures figures)
    {
        var length = GetLength(figures);
        return
        [
            .. figures
                .Section.OverTime.Windows(length, figures.Measured)
                .Select(
                    (window, place) =>
                        new TimeWindow
                        {
                            StartS = place * length.TotalSeconds,
                            Events = window.Events,
                            EventsPerS = window.Events / length.TotalSeconds,
                            EndToEndMs = window.EndToEnd?.TotalMilliseconds,
                            MeanInFlight = window.MeanInFlight,
                            CpuS = figures.CpuBetween?.Invoke(place * length, (place + 1) * length)?.TotalSeconds,
                        }
                ),
        ];
    }

    /// <summary>Standard deviation by mean of the windows' rates. Null with fewer than two, or where nothing was completed.</summary>
    public static double? GetVariation(IReadOnlyList<TimeWindow> windows)
    {
        if (windows.Count < 2 || windows.Sum(static window => window.Events) == 0)
        {
            return null;
        }

        var mean = windows.Average(static window => window.EventsPerS);
        return Math.Sqrt(windows.Sum(window => Math.Pow(window.EventsPerS - mean, 2)) / (windows.Count - 1)) / mean;
    }

    /// <summary>Whether the last six windows show neither a trend nor more scatter than the run's own times explain. Null with fewer.</summary>
    /// <param name="figures">What was measured.</param>
    /// <param name="isBarrier">Whether the scatter is that of batches. Otherwise it is that of events.</param>
    /// <param name="windows">The windows.</param>
    public static bool? AreSettled(RunFigures figures, bool isBarrier, IReadOnlyList<TimeWindow> windows) =>
        windows.Count < SteadyState.Windows
            ? null
            : SteadyState.Of([.. windows.Select(static window => window.EventsPerS)], PredictedCv(figures, isBarrier)).IsSettled;

    /// <summary>The rate of the last minute by that of the first one, less 1. Null in less than two minutes.</summary>
    public static double? GetDrift(IReadOnlyList<TimeWindow> windows)
    {
        var inAMinute = windows.Count < 2 ? 0 : (int)Math.Round(60 / (windows[1].StartS - windows[0].StartS));
        return inAMinute > 0 && windows.Count >= 2 * inAMinute && windows.Take(inAMinute).Sum(static window => window.Events) is > 0 and var first
            ? ((double)windows.TakeLast(inAMinute).Sum(static window => window.Events) / first) - 1
            : null;
    }

    private static double? PredictedCv(RunFigures figures, bool isBarrier)
    {
        var events = figures.Section[Stage.Event];
        var (cv, count) = isBarrier
            ? (figures.Section.BatchTimes.Cv, figures.Section.BatchTimes.Count)
            : (events.Count > 1 ? events.StandardDeviation / events.Mean : null, events.Count);
        return cv is { } known && double.IsFinite(known) ? known / Math.Sqrt(count * (GetLength(figures) / figures.Measured)) : null;
    }

    private static TimeSpan GetLength(RunFigures figures) => figures.Measured >= SteadyState.Windows * LongWindow ? LongWindow : ShortWindow;
}
