namespace EventHubThroughput.Load;

/// <summary>So many lanes, each of which starts its next operation when the one before is answered.</summary>
internal static class ClosedLoop
{
    /// <summary>A warm-up that is enough where only code is compiled and buffers grow.</summary>
    public static readonly TimeSpan ShortWarmUp = TimeSpan.FromSeconds(1.5);

    /// <summary>Runs the lanes and counts what they complete in a window, which opens behind a warm-up once every lane is at work.</summary>
    /// <param name="lanes">Operations under way at once.</param>
    /// <param name="warmUp">How long is not counted.</param>
    /// <param name="window">How long is counted.</param>
    /// <param name="operation">Does one operation in a lane; says how many events it was.</param>
    /// <param name="started">Told when the window begins.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends everything.</param>
    /// <returns>Events in the window, and how long it really was.</returns>
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
                // What is under way is completed: a connection that is cut in mid-send would be measured next.
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
