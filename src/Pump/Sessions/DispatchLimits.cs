namespace EventHubThroughput.Processing;

/// <summary>
/// How far a partition's processing may run ahead of the low watermark (the window), and of the last confirmed checkpoint (the replay limit). At a limit no
/// event is handed over until the load has fallen to the lower mark. So the session does not stop and start for every event.
/// </summary>
public sealed record DispatchLimits
{
    // The default window of a strategy that continues before a batch is complete, as a multiple of its degree. One slow event in flight then leaves the
    // others enough work.
    private const int DegreesOfWindow = 8;
    private const int PartsOfWindow = 8;

    /// <summary>The most events handed over and not passed by the low watermark.</summary>
    public required int Window { get; init; }

    /// <summary>The most events handed over and not covered by a confirmed checkpoint: what a crash may repeat.</summary>
    public required long Replay { get; init; }

    /// <summary>
    /// After the window was full, events are handed over again at this load. It is close to the window: after a slow event, almost the whole window is
    /// available to the others.
    /// </summary>
    public int WindowMark => Window - Math.Max(1, Window / PartsOfWindow);

    /// <summary>
    /// After the replay limit was reached, events are handed over again at this load. Never below the window: one checkpoint of the low watermark reaches it,
    /// even while an event is held.
    /// </summary>
    public long ReplayMark => Math.Max(Window, Replay / 2);

    /// <summary>Creates the limits, with defaults for missing values.</summary>
    /// <param name="barrier">Whether each batch is complete before the next one is handed over.</param>
    /// <param name="batch">The largest batch.</param>
    /// <param name="degree">The most events in flight.</param>
    /// <param name="checkpoints">When checkpoints are due.</param>
    /// <param name="window">The given window, or null.</param>
    /// <param name="replay">The given replay limit, or null.</param>
    public static DispatchLimits For(bool barrier, int batch, int degree, CheckpointOptions checkpoints, int? window, int? replay)
    {
        var width = window ?? (barrier ? batch : Math.Max(DegreesOfWindow * degree, batch));
        var least = width + CheckpointEvents(barrier, batch, checkpoints);
        return new DispatchLimits { Window = width, Replay = replay ?? (barrier ? least : 2 * least) };
    }

    /// <summary>The smallest replay limit that does not stall the processing.</summary>
    /// <param name="barrier">Whether each batch is complete before the next one is handed over.</param>
    /// <param name="batch">The largest batch.</param>
    /// <param name="degree">The most events in flight.</param>
    /// <param name="checkpoints">When checkpoints are due.</param>
    /// <param name="window">The given window, or null.</param>
    public static long LeastReplay(bool barrier, int batch, int degree, CheckpointOptions checkpoints, int? window) =>
        For(barrier, batch, degree, checkpoints, window, null).Window + CheckpointEvents(barrier, batch, checkpoints);

    // With a checkpoint at each batch end nothing is left of a batch when the next one arrives. At every n-th, n - 1 batches are left.
    private static long CheckpointEvents(bool barrier, int batch, CheckpointOptions checkpoints) =>
        barrier && checkpoints.EachBatch ? (checkpoints.Batches - 1L) * batch : checkpoints.Events ?? CheckpointOptions.UsualEvents;
}
