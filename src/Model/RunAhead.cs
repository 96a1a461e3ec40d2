namespace EventHubThroughput.Model;

/// <summary>
/// How far a partition may run ahead of its low watermark and of its confirmed checkpoint (docs/method.md). At a limit nothing is handed over until the load
/// has fallen to the lower mark.
/// </summary>
/// <param name="Window">The most events handed over and not passed by the low watermark.</param>
/// <param name="Replay">The most events handed over and not covered by a confirmed checkpoint: what a crash may repeat.</param>
internal readonly record struct RunAhead(int Window, long Replay)
{
    private const int DegreesOfWindow = 8;

    /// <summary>After the window was full, events are handed over again at this load.</summary>
    public int WindowMark => Window - Math.Max(1, Window / 8);

    /// <summary>After the replay limit was reached, events are handed over again at this load.</summary>
    public long ReplayMark => Math.Max(Window, Replay / 2);

    /// <summary>The given limits, with derived values for missing ones.</summary>
    public static RunAhead Of(ModelSettings settings, StrategyRule rule)
    {
        var window = settings.Window ?? (rule.IsBarrier ? settings.Batch : Math.Max(DegreesOfWindow * settings.Degree, settings.Batch));
        var between =
            rule.IsBarrier && settings.Checkpoints.IsAtBatchEnds
                ? (rule.BatchesPerCheckpoint(settings) - 1L) * settings.Batch
                : settings.Checkpoints.EventsOrUsual;
        var least = window + between;
        return new RunAhead(window, settings.ReplayLimit ?? (rule.IsBarrier ? least : 2 * least));
    }
}
