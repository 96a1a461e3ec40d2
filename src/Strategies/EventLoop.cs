namespace EventHubThroughput.Strategies;

internal static class EventLoop
{
    /// <summary>The options of a loop over events.</summary>
    public static ParallelOptions Options(StrategyContext context, CancellationToken cancellationToken) => Options(context.MaxConcurrency, cancellationToken);

    /// <summary>
    /// The options of every bounded loop. The defaults are unsuitable: the degree would depend on the processor count, and the scheduler would always be the
    /// thread pool.
    /// </summary>
    public static ParallelOptions Options(int degree, CancellationToken cancellationToken) =>
        new()
        {
            MaxDegreeOfParallelism = degree,
            TaskScheduler = TaskScheduler.Current,
            CancellationToken = cancellationToken,
        };
}
