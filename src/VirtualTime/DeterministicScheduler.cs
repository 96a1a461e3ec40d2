namespace EventHubThroughput.Testing;

/// <summary>
/// Runs tasks one at a time, only on the thread that created it. It runs them in the order in which they became ready, or, with a seed, in a random order.
/// With a seed it also decides randomly how a continuation runs: within the step that made it ready, as the thread pool may do, or as a separate step.
/// </summary>
/// <remarks>
/// A task from another thread proves that the code under test has left the scheduler: by the thread pool, by a timer, or by a lock whose
/// continuation runs elsewhere. From then on a seed would not repeat the run, so <see cref="RunOne"/> throws.
/// </remarks>
internal sealed class DeterministicScheduler(int? seed) : TaskScheduler
{
    private readonly Random? order = seed is { } value ? new Random(value) : null;
    private readonly int thread = Environment.CurrentManagedThreadId;

    // Other threads use these two only when the code under test has left the scheduler.
    private readonly Lock gate = new();
    private readonly List<Task> ready = [];
    private string? intruder;

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

    /// <summary>Runs one ready task. False when there is none.</summary>
    /// <exception cref="InvalidOperationException">The code under test has left the scheduler. The message names the origin of the task.</exception>
    public bool RunOne()
    {
        Task task;
        lock (gate)
        {
            if (intruder is not null)
            {
                throw new InvalidOperationException(
                    $"The code under test has left the scheduler and came back from another thread:{Environment.NewLine}{intruder}"
                );
            }

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
            if (Environment.CurrentManagedThreadId != thread)
            {
                intruder ??= Environment.StackTrace;
            }
        }
    }

    protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued) =>
        !taskWasPreviouslyQueued && Environment.CurrentManagedThreadId == thread && (order is null || order.Next(2) == 0) && TryExecuteTask(task);

    protected override IEnumerable<Task> GetScheduledTasks()
    {
        lock (gate)
        {
            return [.. ready];
        }
    }
}
