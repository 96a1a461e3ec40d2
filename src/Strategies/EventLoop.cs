namespace EventHubThroughput.Strategies;

internal static class EventLoop
{
    /// <summary>The options of a loop over events.</summary>
    public static ParallelOptions Options(StrategyContext context, CancellationToken cancellationToken) => Options(context.MaxConcurrency, cancellationToken);

    /// <summary>
    /// The options of every bounded loop. Neither default is wanted: the degree would follow the processor count, and the scheduler
    /// would be the thread pool even where the caller runs on another one.
    /// </summary>
    public static ParallelOptions Options(int degree, CancellationToken cancellationToken) =>
        new()
        {
            MaxDegreeOfParallelism = degree,
            TaskScheduler = TaskScheduler.Current,
            CancellationToken = cancellationToken,
        };
}
