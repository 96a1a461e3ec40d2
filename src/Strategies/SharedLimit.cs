namespace EventHubThroughput.Strategies;

/// <summary>
/// A limit of concurrent work that may change at run time. Entries over it wait in the order of their arrival. Any member may be called from any thread.
/// Waiting callers continue on their own scheduler.
/// </summary>
public sealed class SharedLimit
{
    private readonly Lock gate = new();
    private readonly Queue<TaskCompletionSource> waiting = new();
    private int entered;
    private int limit;
    private SharedSearch? search;

    /// <param name="limit">The most concurrent entries. At least 1.</param>
    public SharedLimit(int limit)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        this.limit = limit;
    }

    /// <summary>The most concurrent entries. At least 1. Lowering it interrupts no entry.</summary>
    public int Limit
    {
        get
        {
            lock (gate)
            {
                return limit;
            }
        }
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            lock (gate)
            {
                limit = value;
                AdmitNext();
            }
        }
    }

    /// <summary>How many have entered and not left.</summary>
    public int Entered
    {
        get
        {
            lock (gate)
            {
                return entered;
            }
        }
    }

    /// <summary>Completes when the caller has entered. The caller must then call <see cref="Leave"/>.</summary>
    /// <exception cref="OperationCanceledException">The wait was cancelled, and the caller has not entered.</exception>
    public ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (gate)
        {
            if (entered < limit)
            {
                entered++;
                return ValueTask.CompletedTask;
            }

            var turn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            waiting.Enqueue(turn);
            return new ValueTask(WaitAsync(turn, cancellationToken));
        }
    }

    /// <summary>Frees a place for the next caller.</summary>
    public void Leave()
    {
        lock (gate)
        {
            entered--;
            AdmitNext();
        }
    }

    /// <summary>Adds a partition to the search that sets this limit from then on. All partitions share one search.</summary>
    /// <param name="places">The most concurrent events of the partition.</param>
    /// <param name="timeProvider">The clock. That of the first call is used.</param>
    internal SharedSearch Join(int places, TimeProvider timeProvider)
    {
        SharedSearch joined;
        lock (gate)
        {
            joined = search ??= new SharedSearch(this, timeProvider);
        }

        joined.Join(places);
        return joined;
    }

    private void AdmitNext()
    {
        while (entered < limit && waiting.TryDequeue(out var next))
        {
            if (next.TrySetResult())
            {
                entered++;
            }
        }
    }

    private static async Task WaitAsync(TaskCompletionSource turn, CancellationToken cancellationToken)
    {
        // Leave and the cancellation race for the turn. The loser does nothing.
        using var given = cancellationToken.Register(() => turn.TrySetCanceled(cancellationToken));
        await turn.Task;
    }
}
