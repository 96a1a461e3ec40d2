using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Threading.Tasks.Sources;

namespace EventHubThroughput.Events.Pooling;

/// <summary>A call of an async method that waits, or that failed before it could, as its caller sees it: the source of its value task.</summary>
internal class PooledCall<TResult> : IValueTaskSource<TResult>, IValueTaskSource
{
    private ManualResetValueTaskSourceCore<TResult> core;

    public short Version => core.Version;

    public void SetResult(TResult result) => core.SetResult(result);

    public void SetException(Exception exception) => core.SetException(exception);

    public ValueTaskSourceStatus GetStatus(short token) => core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        core.OnCompleted(continuation, state, token, flags);

    void IValueTaskSource.GetResult(short token) => GetResult(token);

    public TResult GetResult(short token)
    {
        // Before it is given back: one that is asked twice, or too early, may be somebody else's.
        if (core.GetStatus(token) == ValueTaskSourceStatus.Pending)
        {
            throw new InvalidOperationException("the result of a pooled call was asked for before its end");
        }

        try
        {
            return core.GetResult(token);
        }
        finally
        {
            core.Reset();
            Return();
        }
    }

    /// <summary>Has a call go on when what it waits for is there.</summary>
    /// <param name="call">The builder's own, a part of the machine; null before the first wait.</param>
    /// <param name="awaiter">What it waits for.</param>
    /// <param name="machine">The compiler's machine.</param>
    public static void AwaitOnCompleted<TAwaiter, TMachine>(ref PooledCall<TResult>? call, ref TAwaiter awaiter, ref TMachine machine)
        where TAwaiter : INotifyCompletion
        where TMachine : IAsyncStateMachine
    {
        var resume = Suspend(ref call, ref machine);
        try
        {
            awaiter.OnCompleted(resume);
        }
        catch (Exception thrown)
        {
            ThrowOnPool(thrown);
        }
    }

    /// <summary>The same without the caller's context, which the call has itself.</summary>
    /// <inheritdoc cref="AwaitOnCompleted"/>
    public static void AwaitUnsafeOnCompleted<TAwaiter, TMachine>(ref PooledCall<TResult>? call, ref TAwaiter awaiter, ref TMachine machine)
        where TAwaiter : ICriticalNotifyCompletion
        where TMachine : IAsyncStateMachine
    {
        var resume = Suspend(ref call, ref machine);
        try
        {
            awaiter.UnsafeOnCompleted(resume);
        }
        catch (Exception thrown)
        {
            ThrowOnPool(thrown);
        }
    }

    // What an awaiter throws when it is given the continuation is nobody's result: by then the call may have gone on and belong to somebody else.
    private static void ThrowOnPool(Exception thrown) =>
        ThreadPool.UnsafeQueueUserWorkItem(static exception => exception.Throw(), ExceptionDispatchInfo.Capture(thrown), preferLocal: false);

    // Gives what continues the call, and takes the place of the first one's machine on the stack.
    private static Action Suspend<TMachine>(ref PooledCall<TResult>? call, ref TMachine machine)
        where TMachine : IAsyncStateMachine
    {
        if (call is not Machine<TMachine> waiting)
        {
            // Set before the machine is copied, since the builder is copied with it.
            call = waiting = Machine<TMachine>.Rent();
            waiting.Take(ref machine);
        }

        return waiting.Wait();
    }

    /// <summary>Gives the call back to whom it came from, if anybody.</summary>
    protected virtual void Return() { }

    private sealed class Machine<TMachine> : PooledCall<TResult>
        where TMachine : IAsyncStateMachine
    {
        // Of one method, over all partitions and sinks. Who waits beyond that costs an allocation, as everybody would without a pool.
        private const int Most = 1024;

        private static readonly Lock Gate = new();

        // A thread that ends one call often begins the next.
        [ThreadStatic]
        private static Machine<TMachine>? t_last;

        // Under the gate.
        private static Machine<TMachine>? s_first;
        private static int s_count;

        private readonly Action resume;
        private TMachine machine = default!;
        private ExecutionContext? context;
        private Machine<TMachine>? next;

        private Machine() => resume = Resume;

        public static Machine<TMachine> Rent()
        {
            if (t_last is { } last)
            {
                t_last = null;
                return last;
            }

            lock (Gate)
            {
                if (s_first is { } first)
                {
                    (s_first, first.next) = (first.next, null);
                    s_count--;
                    return first;
                }
            }

            return new Machine<TMachine>();
        }

        public void Take(ref TMachine waiting) => machine = waiting;

        public Action Wait()
        {
            context = ExecutionContext.Capture();
            return resume;
        }

        protected override void Return()
        {
            (machine, context) = (default!, null);
            if (t_last is null)
            {
                t_last = this;
                return;
            }

            lock (Gate)
            {
                if (s_count < Most)
                {
                    (next, s_first) = (s_first, this);
                    s_count++;
                }
            }
        }

        private void Resume()
        {
            // Null where the flow is suppressed.
            if (context is { } captured)
            {
                ExecutionContext.Run(captured, static call => ((Machine<TMachine>)call!).machine.MoveNext(), this);
            }
            else
            {
                machine.MoveNext();
            }
        }
    }
}
