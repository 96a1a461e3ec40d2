namespace EventHubThroughput.Load;

/// <summary>A number of lanes. Each starts its next operation after the answer to the previous one.</summary>
internal static class ClosedLoop
{
    /// <summary>A warm-up that suffices for compilation and the growth of buffers.</summary>
    public static readonly TimeSpan ShortWarmUp = TimeSpan.FromSeconds(1.5);

    /// <summary>Runs the lanes and counts what they complete in a window. The window opens after a warm-up, when every lane works.</summary>
    /// <param name="lanes">The number of concurrent operations.</param>
    /// <param name="warmUp">The time that is not counted.</param>
    /// <param name="window">The time that is counted.</param>
    /// <param name="operation">Performs one operation in a lane. Returns its number of events.</param>
    /// <param name="started">Called when the window opens.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends all lanes.</param>
    /// <returns>The events in the window, and its actual length.</returns>
    public static async Task<(long Events, TimeSpan Window)> RunAsync(
        int lanes,
        TimeSpan warmUp,
        TimeSpan window,
        Func<int, CancellationToken, Task<int>> operation,
        Action started,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        long events = 0;
        var idle = lanes;
        var connected = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        async Task LaneAsync(int lane)
        {
            Interlocked.Add(ref events, await operation(lane, cancellationToken));
            if (Interlocked.Decrement(ref idle) == 0)
            {
                connected.SetResult();
            }

            while (!stop.IsCancellationRequested)
            {
                // Completes the operations in flight. Otherwise the next measurement would include a connection that was cut during a send.
                Interlocked.Add(ref events, await operation(lane, cancellationToken));
            }
        }

        var running = Task.WhenAll(Enumerable.Range(0, lanes).Select(LaneAsync));
        await Task.WhenAny(running, connected.Task);
        await Task.WhenAny(running, Task.Delay(warmUp, clock, cancellationToken));
        started();
        var (before, start) = (Interlocked.Read(ref events), clock.GetTimestamp());
        await Task.WhenAny(running, Task.Delay(window, clock, cancellationToken));
        var (after, took) = (Interlocked.Read(ref events), clock.GetElapsedTime(start));
        await stop.CancelAsync();
        await running;
        return (after - before, took);
    }
}
