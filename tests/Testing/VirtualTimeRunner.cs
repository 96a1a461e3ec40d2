using System.Runtime.ExceptionServices;

namespace EventHubThroughput.Testing;

/// <summary>
/// Runs asynchronous code on one thread in virtual time: every ready continuation first, and when none is ready the clock jumps to
/// the next timer. The same code takes the same steps in every run. Code that leaves the scheduler (ConfigureAwait(false), Task.Run)
/// is not for this runner.
/// </summary>
public static class VirtualTimeRunner
{
    /// <summary>Runs to the end and returns the virtual time that it took.</summary>
    /// <param name="body">The code; gets the clock that its delays must use.</param>
    /// <param name="seed">Null runs continuations in the order in which they became ready; a seed picks among the ready ones.</param>
    /// <exception cref="InvalidOperationException">Nothing is ready, no timer is set, and the code has not ended.</exception>
    public static TimeSpan Run(Func<VirtualClock, Task> body, int? seed = null)
    {
        var clock = new VirtualClock();
        var scheduler = new SingleThreadScheduler(seed is { } value ? new Random(value) : null);
        var before = SynchronizationContext.Current;
        try
        {
            // No context: a continuation that a context inlines sees the default scheduler, and loops begun in it would leave ours.
            SynchronizationContext.SetSynchronizationContext(null);
            var running = Task.Factory.StartNew(() => body(clock), CancellationToken.None, TaskCreationOptions.None, scheduler).Unwrap();
            while (!running.IsCompleted)
            {
                if (scheduler.RunOne())
                {
                    continue;
                }

                if (!clock.AdvanceToNextTimer() && !scheduler.HasWork && !running.IsCompleted)
                {
                    throw new InvalidOperationException($"Stuck at {clock.Elapsed}: nothing is ready and no timer is set.");
                }
            }

            Rethrow(running);
            return clock.Elapsed;
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }
    }

    private static void Rethrow(Task ended)
    {
        if (ended.Exception is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure.InnerExceptions[0]);
        }

        if (ended.IsCanceled)
        {
            throw new TaskCanceledException(ended);
        }
    }

    private sealed class SingleThreadScheduler(Random? order) : TaskScheduler
    {
        private readonly List<Task> ready = [];
        private readonly Lock gate = new();
        private readonly int thread = Environment.CurrentManagedThreadId;

        public bool HasWork
        {
            get
            {
                lock (gate)
                {
                    return ready.Count > 0;
                }
            }
        }

        public bool RunOne()
        {
            Task task;
            lock (gate)
            {
                if (ready.Count == 0)
                {
                    return false;
                }

                var index = order?.Next(ready.Count) ?? 0;
                task = ready[index];
                ready.RemoveAt(index);
            }

            TryExecuteTask(task);
            return true;
        }

        protected override void QueueTask(Task task)
        {
            lock (gate)
            {
                ready.Add(task);
            }
        }

        // Inlining keeps the same steps in every run as long as the thread is ours.
        protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued)
            => !taskWasPreviouslyQueued && Environment.CurrentManagedThreadId == thread && TryExecuteTask(task);

        protected override IEnumerable<Task> GetScheduledTasks()
        {
            lock (gate)
            {
                return [.. ready];
            }
        }
    }
}
