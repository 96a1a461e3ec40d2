namespace EventHubThroughput.Strategies;

/// <summary>
/// A limit of concurrent work that may be changed while it is in force: entries over it wait in the order of their arrival. Any member
/// may be called from any thread. Those who waited go on with their own scheduler.
/// </summary>
public sealed class SharedLimit
{
    private readonly Lock gate = new();
    private readonly Queue<TaskCompletionSource> waiting = new();
    private int entered;
    private int limit;
    private SharedSearch? search;

    /// <param name="limit">The most entries at once. At least 1.</param>
    public SharedLimit(int limit)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        this.limit = limit;
    }

    /// <summary>The most entries at once. At least 1. Lowering it cuts nobody short.</summary>
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
                LetIn();
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

    /// <summary>Completes when the caller has entered, who must then call <see cref="Leave"/>.</summary>
    /// <exception cref="OperationCanceledException">The caller waits no longer and has not entered.</exception>
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

    /// <summary>Makes room for the next one.</summary>
    public void Leave()
    {
        lock (gate)
        {
            entered--;
            LetIn();
        }
    }

    /// <summary>A partition joins the search that sets this limit from then on. One for all who share it.</summary>
    /// <param name="places">The most events that the partition may have at once.</param>
    /// <param name="timeProvider">The clock. That of the first one counts.</param>
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

    private void LetIn()
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
        // Whoever loses the race for the turn, the one who leaves or the cancellation, does nothing.
        using var given = cancellationToken.Register(() => turn.TrySetCanceled(cancellationToken));
        await turn.Task;
    }
}
