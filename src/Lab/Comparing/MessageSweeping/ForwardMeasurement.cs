using EventHubThroughput.Clients;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Lab.Measurement;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>The processor of a sweep: forwards each message over a second connection, then completes it, and measures itself second by second.</summary>
/// <param name="options">The worker's options.</param>
/// <param name="receiving">Connects to where messages come from. Each try once, since the processor tries again.</param>
/// <param name="sending">Connects to where they go.</param>
/// <param name="clock">The clock.</param>
internal sealed class ForwardMeasurement(WorkerOptions options, IMessagingClients receiving, IMessagingClients sending, TimeProvider clock)
{
    private static readonly TimeSpan Window = TimeSpan.FromSeconds(1);

    // On a busy machine a process of one core takes seconds to its first message. These seconds must not be measured.
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(30);

    private long forwarded;
    private int mostThreads;
    private long mostWaiting;

    /// <param name="measuring">Called when the warm-up has ended.</param>
    /// <param name="stop">Ends it early.</param>
    public async Task<WorkerReport> RunAsync(Action measuring, CancellationToken stop)
    {
        if (options.Threads > 0)
        {
            ThreadPool.GetMinThreads(out _, out var forSockets);
            ThreadPool.SetMinThreads(options.Threads, forSockets);
        }

        await using var source = receiving;
        await using var destination = sending;
        await using var sender = destination.CreateMessageSender(options.Target);
        await using var receiver = source.CreateMessageReceiver(options.Entity, new MessageReceiverOptions());
        var processor = new MessageProcessor(
            receiver,
            (message, token) => ForwardAsync(sender, message, token),
            new MessageProcessorOptions { MaximumConcurrentCalls = options.Concurrency, TimeProvider = clock }
        );
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(stop);
        var running = processor.RunAsync(enough.Token);
        try
        {
            var report = await MeasureAsync(processor, running, measuring, stop);
            await enough.CancelAsync();
            await running;
            return Conclude(report, processor.Counts);
        }
        finally
        {
            await enough.CancelAsync();
            await running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async ValueTask<MessageOutcome> ForwardAsync(IMessageSender sender, ReceivedMessage message, CancellationToken cancellationToken)
    {
        await sender.SendAsync(new OutgoingMessage { MessageId = message.MessageId, Body = message.Body }, cancellationToken);
        Interlocked.Increment(ref forwarded);
        return MessageOutcome.Complete;
    }

    private async Task<WorkerReport> MeasureAsync(MessageProcessor processor, Task running, Action measuring, CancellationToken stop)
    {
        for (var waiting = clock.GetTimestamp(); processor.Counts.Completed == 0 && clock.GetElapsedTime(waiting) < LongestWait; )
        {
            await UntilAsync(Look, running, stop);
        }

        await UntilAsync(options.WarmUp, running, stop);
        measuring();
        var begun = clock.GetTimestamp();
        var (cpuAtFirst, completedAtFirst) = (Environment.CpuUsage.TotalTime, processor.Counts.Completed);
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
            Completed = processor.Counts.Completed - completedAtFirst,
            Seconds = length.TotalSeconds,
            CpuMeanPercent = GetPercent(cpu - cpuAtFirst, length),
            CpuMaxPercent = most,
        };
    }

    private WorkerReport Conclude(WorkerReport report, MessageProcessorCounts counts)
    {
        ThreadPool.GetMinThreads(out var least, out _);
        using var self = System.Diagnostics.Process.GetCurrentProcess();
        return report with
        {
            Messages = Interlocked.Read(ref forwarded),
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
