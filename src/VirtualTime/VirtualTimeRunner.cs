using System.Runtime.ExceptionServices;

namespace EventHubThroughput.Testing;

/// <summary>
/// Runs asynchronous code on one thread in virtual time. Every ready continuation runs first, and when none is ready the clock jumps to the next timer. The
/// same code takes the same steps in every run, so a failing seed repeats the failure. Code that leaves the scheduler (ConfigureAwait(false), Task.Run,
/// CancelAsync, SemaphoreSlim) is detected and refused.
/// </summary>
public static class VirtualTimeRunner
{
    /// <summary>Runs to the end and returns the virtual time that it took.</summary>
    /// <param name="body">The code. Receives the clock that its delays must use.</param>
    /// <param name="seed">Null runs continuations in the order in which they became ready. A seed selects among the ready ones.</param>
    /// <exception cref="InvalidOperationException">
    /// Nothing is ready, no timer is set, and the code has not ended. Or the code has left the scheduler.
    /// </exception>
    public static TimeSpan Run(Func<VirtualClock, Task> body, int? seed = null)
    {
        var clock = new VirtualClock();
        var scheduler = new DeterministicScheduler(seed);
        var before = SynchronizationContext.Current;
        try
        {
            // No context: a continuation that a context inlines sees the default scheduler, and loops started in it would leave ours.
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
                    throw new InvalidOperationException(
                        $"Stuck at {clock.Elapsed}: nothing is ready and no timer is set. The code waits for what never comes, or continues on another scheduler (Task.Run, ConfigureAwait(false))."
                    );
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

    /// <summary>Runs the other ready work on the stack of the caller, which represents a blocked thread.</summary>
    /// <param name="until">Ends it before all ready work has run.</param>
    /// <exception cref="InvalidOperationException">The caller does not run in virtual time.</exception>
    internal static void RunOthers(Func<bool> until)
    {
        var scheduler =
            TaskScheduler.Current as DeterministicScheduler ?? throw new InvalidOperationException("Only code that runs in virtual time can wait for others.");
        while (!until() && scheduler.RunOne()) { }
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
}
