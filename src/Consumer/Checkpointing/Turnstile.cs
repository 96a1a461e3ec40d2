namespace EventHubThroughput.Consumer.Checkpointing;

/// <summary>
/// Lets one caller through at a time, in the order of arrival. Unlike a semaphore it hands over on the scheduler of whoever waits,
/// not on the thread pool.
/// </summary>
internal sealed class Turnstile
{
    private readonly Lock gate = new();
    private readonly Queue<TaskCompletionSource> waiting = new();
    private bool taken;

    /// <summary>Completes when it is the caller's turn, who must then call <see cref="Leave"/>.</summary>
    /// <exception cref="OperationCanceledException">The caller waits no longer; it has no turn to give back.</exception>
    public async Task EnterAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        TaskCompletionSource turn;
        lock (gate)
        {
            if (!taken)
            {
                taken = true;
                return;
            }

            turn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            waiting.Enqueue(turn);
        }

        // Whoever loses the race for the turn, the next caller or its cancellation, does nothing.
        using var given = cancellationToken.Register(() => turn.TrySetCanceled(cancellationToken));
        await turn.Task;
    }

    /// <summary>Lets the next one through.</summary>
    public void Leave()
    {
        lock (gate)
        {
            while (waiting.TryDequeue(out var next))
            {
                if (next.TrySetResult())
                {
                    return;
                }
            }

            taken = false;
        }
    }
}
