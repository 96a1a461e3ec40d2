using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>Measures a processor of a sweep, second by second.</summary>
/// <param name="options">The worker's options.</param>
/// <param name="forwarder">The processor. This disposes of it.</param>
/// <param name="clock">The clock.</param>
internal sealed class ForwardMeasurement(WorkerOptions options, Forwarder forwarder, TimeProvider clock)
{
    private static readonly TimeSpan Window = TimeSpan.FromSeconds(1);

    // On a busy machine a process of one core takes seconds to its first message. These seconds must not be measured.
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(30);

    private int mostThreads;
    private long mostWaiting;

    /// <param name="measuring">Called when the warm-up has ended.</param>
    /// <param name="stop">Ends it early.</param>
    public async Task<WorkerReport> RunAsync(Action measuring, CancellationToken stop)
    {
        await using var disposed = forwarder;
        SetThreads();
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(stop);
        var running = forwarder.RunAsync(enough.Token);
        try
        {
            var report = await MeasureAsync(running, measuring, stop);
            await enough.CancelAsync();
            await running;
            return Conclude(report);
        }
        finally
        {
            await enough.CancelAsync();
            await running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private void SetThreads()
    {
        if (options.Threads == 0)
        {
            return;
        }

        ThreadPool.GetMinThreads(out _, out var leastForSockets);
        ThreadPool.GetMaxThreads(out _, out var mostForSockets);
        if (
            !ThreadPool.SetMinThreads(options.Threads, leastForSockets)
            || (options.MostThreads > 0 && !ThreadPool.SetMaxThreads(options.MostThreads, mostForSockets))
        )
        {
            throw new FailureException(FailureCause.Dependency, $"the runtime refuses a thread pool of {options.Threads}");
        }
    }

    private async Task<WorkerReport> MeasureAsync(Task running, Action measuring, CancellationToken stop)
    {
        for (var waiting = clock.GetTimestamp(); forwarder.Counts.Completed == 0 && clock.GetElapsedTime(waiting) < LongestWait; )
        {
            await UntilAsync(Look, running, stop);
        }

        await UntilAsync(options.WarmUp, running, stop);
        measuring();
        var begun = clock.GetTimestamp();
        var (cpuAtFirst, completedAtFirst) = (Environment.CpuUsage.TotalTime, forwarder.Counts.Completed);
        var (last, cpu, most) = (begun, cpuAtFirst, 0d);
        for (var left = options.Length; left > TimeSpan.Zero; left = options.Length - clock.GetElapsedTime(begun))
        {
            await UntilAsync(left < Window ? left : Window, running, stop);
            var (now, used) = (clock.GetTimestamp(), Environment.CpuUsage.TotalTime);

            // A rest at the end that is shorter than a window does not show the busiest second.
            if (clock.GetElapsedTime(last, now) >= Window / 2)
            {
                most = Math.Max(most, GetPercent(used - cpu, clock.GetElapsedTime(last, now)));
            }

            (last, cpu) = (now, used);
            mostThreads = Math.Max(mostThreads, ThreadPool.ThreadCount);
            mostWaiting = Math.Max(mostWaiting, ThreadPool.PendingWorkItemCount);
        }

        var length = clock.GetElapsedTime(begun, last);
        return new WorkerReport
        {
            Completed = forwarder.Counts.Completed - completedAtFirst,
            Seconds = length.TotalSeconds,
            CpuMeanPercent = GetPercent(cpu - cpuAtFirst, length),
            CpuMaxPercent = most,
        };
    }

    private WorkerReport Conclude(WorkerReport report)
    {
        var counts = forwarder.Counts;
        ThreadPool.GetMinThreads(out var least, out _);
        using var self = System.Diagnostics.Process.GetCurrentProcess();
        return report with
        {
            Messages = forwarder.Forwarded,
            LocksLost = counts.LocksLost,
            Abandoned = counts.Abandoned,
            MostHandling = counts.MostHandling,
            MostThreads = mostThreads,
            MostWaiting = mostWaiting,
            LeastThreads = least,
            ProcessorCount = Environment.ProcessorCount,
            HeapLimitBytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
            PeakRssBytes = ProcessUsage.Of(self)?.PeakMemoryBytes ?? 0,
        };
    }

    // A processor that ends without being stopped has failed.
    private async Task UntilAsync(TimeSpan time, Task running, CancellationToken stop)
    {
        await running.WaitAsync(time, clock, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (running.IsCompleted)
        {
            await running;
        }

        stop.ThrowIfCancellationRequested();
    }

    private static double GetPercent(TimeSpan cpu, TimeSpan wall) => 100 * cpu.TotalSeconds / (wall.TotalSeconds * Environment.ProcessorCount);
}
