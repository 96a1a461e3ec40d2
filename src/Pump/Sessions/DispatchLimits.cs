namespace EventHubThroughput.Processing;

/// <summary>
/// How far a partition's processing may run ahead: of the low watermark (the window), and of the last confirmed checkpoint (the
/// replay limit). At a limit no event is handed over until the load has fallen to the lower mark, so that the session does not start
/// and stop with every single event.
/// </summary>
public sealed record DispatchLimits
{
    // The window of a strategy that goes on before a batch is complete, unless chosen: so many times its degree that one slow event
    // among those in flight leaves the others enough to go on with.
    private const int DegreesOfWindow = 8;
    private const int PartsOfWindow = 8;

    /// <summary>Most events handed over and not passed by the low watermark.</summary>
    public required int Window { get; init; }

    /// <summary>Most events handed over and not covered by a confirmed checkpoint: what a crash may repeat.</summary>
    public required long Replay { get; init; }

    /// <summary>
    /// After the window was full, events are handed over again at this load. Near the window: behind an event that takes long, all of the window
    /// keeps the others going.
    /// </summary>
    public int WindowMark => Window - Math.Max(1, Window / PartsOfWindow);

    /// <summary>
    /// After the replay limit was reached, events are handed over again at this load. Never below the window: one checkpoint of the
    /// low watermark reaches it, even while an event is held.
    /// </summary>
    public long ReplayMark => Math.Max(Window, Replay / 2);

    /// <summary>Fills in what was not chosen.</summary>
    /// <param name="barrier">Whether each batch is complete before the next one is handed over.</param>
    /// <param name="batch">The largest batch.</param>
    /// <param name="degree">Most events in flight.</param>
    /// <param name="checkpoints">When checkpoints are due.</param>
    /// <param name="window">The window that was chosen, or null.</param>
    /// <param name="replay">The replay limit that was chosen, or null.</param>
    public static DispatchLimits For(bool barrier, int batch, int degree, CheckpointOptions checkpoints, int? window, int? replay)
    {
        var width = window ?? (barrier ? batch : Math.Max(DegreesOfWindow * degree, batch));
        var least = width + CheckpointEvents(barrier, batch, checkpoints);
        return new DispatchLimits { Window = width, Replay = replay ?? (barrier ? least : 2 * least) };
    }

    /// <summary>The least replay limit that lets processing flow.</summary>
    /// <param name="barrier">Whether each batch is complete before the next one is handed over.</param>
    /// <param name="batch">The largest batch.</param>
    /// <param name="degree">Most events in flight.</param>
    /// <param name="checkpoints">When checkpoints are due.</param>
    /// <param name="window">The window that was chosen, or null.</param>
    public static long LeastReplay(bool barrier, int batch, int degree, CheckpointOptions checkpoints, int? window) =>
        For(barrier, batch, degree, checkpoints, window, null).Window + CheckpointEvents(barrier, batch, checkpoints);

    // With a checkpoint at each batch end nothing is left of a batch when the next one comes. At every n-th, n - 1 batches are.
    private static long CheckpointEvents(bool barrier, int batch, CheckpointOptions checkpoints) =>
        barrier && checkpoints.EachBatch ? (checkpoints.Batches - 1L) * batch : checkpoints.Events ?? CheckpointOptions.UsualEvents;
}
