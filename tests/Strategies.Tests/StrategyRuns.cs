using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>A strategy's whole life, as a session leads it: every batch is dispatched, then it is drained and disposed of, after any failure.</summary>
internal static class StrategyRuns
{
    public static async Task RunAsync(
        string name,
        int degree,
        IReadOnlyList<ITrackedSink> sinks,
        IEnumerable<IReadOnlyList<EventSlot>> batches,
        CancellationToken cancellationToken
    )
    {
        var context = new StrategyContext
        {
            MaxConcurrency = degree,
            Sinks = sinks,
            Lifetime = cancellationToken,
        };
        await using var strategy = StrategyCatalog.Find(name).Create(context);
        var dispatched = false;
        try
        {
            foreach (var batch in batches)
            {
                await strategy.DispatchAsync(batch, cancellationToken);
            }

            dispatched = true;
        }
        finally
        {
            try
            {
                await strategy.DrainAsync(cancellationToken);
            }
            catch (Exception) when (!dispatched)
            {
                // Exceptions of dispatches are reported.
            }
        }
    }

    public static Task RunAsync(
        string name,
        int degree,
        IReadOnlyList<ITrackedSink> sinks,
        IReadOnlyList<EventSlot> batch,
        CancellationToken cancellationToken
    ) => RunAsync(name, degree, sinks, [batch], cancellationToken);
}
