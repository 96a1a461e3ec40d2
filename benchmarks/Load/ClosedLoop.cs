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
    public static async Task<ClosedLoopCount> RunAsync(
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
        long operations = 0;
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
                Interlocked.Increment(ref operations);
            }
        }

        var running = Task.WhenAll(Enumerable.Range(0, lanes).Select(LaneAsync));
        await Task.WhenAny(running, connected.Task);
        await Task.WhenAny(running, Task.Delay(warmUp, clock, cancellationToken));
        started();
        var (before, done, start) = (Interlocked.Read(ref events), Interlocked.Read(ref operations), clock.GetTimestamp());
        await Task.WhenAny(running, Task.Delay(window, clock, cancellationToken));
        var counted = new ClosedLoopCount(lanes, Interlocked.Read(ref events) - before, Interlocked.Read(ref operations) - done, clock.GetElapsedTime(start));
        await stop.CancelAsync();
        await running;
        return counted;
    }
}

/// <summary>What the lanes of a closed loop completed in its window.</summary>
/// <param name="Lanes">The number of concurrent operations.</param>
/// <param name="Events">Their events.</param>
/// <param name="Operations">Their operations.</param>
/// <param name="Window">The actual length of the window.</param>
internal readonly record struct ClosedLoopCount(int Lanes, long Events, long Operations, TimeSpan Window)
{
    /// <summary>The mean time of an operation. Each lane always has one, so it is the time of all lanes by their operations. Null without an operation.</summary>
    public TimeSpan? RoundTrip => Operations == 0 ? null : Window * Lanes / Operations;
}
