namespace EventHubThroughput.Testing;

/// <summary>Virtual time for code that leaves the scheduler of <see cref="VirtualTimeRunner"/>.</summary>
public static class VirtualClockExtensions
{
    /// <summary>Advances the clock from timer to timer until the task has ended, and throws what it has thrown.</summary>
    public static async Task AdvanceUntilEndedAsync(this VirtualClock clock, Task task, CancellationToken cancellationToken)
    {
        while (!task.IsCompleted)
        {
            await Task.WhenAny(task, clock.UntilTimerIsSetAsync(cancellationToken));
            if (!task.IsCompleted)
            {
                clock.AdvanceToNextTimer();
            }
        }

        await task;
    }
}
