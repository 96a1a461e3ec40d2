using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Threading.Tasks.Sources;

namespace EventHubThroughput.Events.Pooling;

/// <summary>A call of an async method that waits, or that failed before it could wait: the source of its value task.</summary>
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
        // Before it is returned to the pool: after a second or early read it may belong to another call.
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

    /// <summary>Registers a call to continue when its awaiter completes.</summary>
    /// <param name="call">The builder's field, a part of the state machine. Null before the first wait.</param>
    /// <param name="awaiter">The awaiter.</param>
    /// <param name="machine">The compiler's state machine.</param>
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

    /// <summary>The same without the caller's context, which the call flows itself.</summary>
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

    // An exception of an awaiter at registration cannot become the result: by then the call may have continued and belong to another caller.
    private static void ThrowOnPool(Exception thrown) =>
        ThreadPool.UnsafeQueueUserWorkItem(static exception => exception.Throw(), ExceptionDispatchInfo.Capture(thrown), preferLocal: false);

    // Returns the continuation of the call. The state machine moves from the stack to the heap at the first call.
    private static Action Suspend<TMachine>(ref PooledCall<TResult>? call, ref TMachine machine)
        where TMachine : IAsyncStateMachine
    {
        if (call is not Machine<TMachine> waiting)
        {
            // Set before the state machine is copied, because the builder is copied with it.
            call = waiting = Machine<TMachine>.Rent();
            waiting.Take(ref machine);
        }

        return waiting.Wait();
    }

    /// <summary>Returns the call to its pool, if it has one.</summary>
    protected virtual void Return() { }

    private sealed class Machine<TMachine> : PooledCall<TResult>
        where TMachine : IAsyncStateMachine
    {
        // Many calls begin on one thread and end on another. So threads exchange whole chains, with one lock per chain.
        private const int ChainLength = 16;

        // Of one method, over all partitions and sinks, in addition to the two chains that each thread keeps. A call beyond that costs an allocation.
        private const int MostChains = 64;

        private static readonly Lock Gate = new();

        [ThreadStatic]
        private static Kept t_kept;

        // Under the gate, except for a check whether there are any.
        private static volatile Machine<TMachine>? s_chains;
        private static int s_count;

        private readonly Action resume;
        private TMachine machine = default!;
        private ExecutionContext? context;
        private Machine<TMachine>? next;
        private Machine<TMachine>? nextChain;

        private Machine() => resume = Resume;

        public static Machine<TMachine> Rent()
        {
            ref var kept = ref t_kept;
            if (kept.First is null && (kept.Spare ?? TakeChain()) is { } chain)
            {
                (kept.First, kept.Count, kept.Spare) = (chain, ChainLength, null);
            }

            if (kept.First is not { } first)
            {
                return new Machine<TMachine>();
            }

            (kept.First, first.next) = (first.next, null);
            kept.Count--;
            return first;
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
            ref var kept = ref t_kept;
            if (kept.Count == ChainLength)
            {
                if (kept.Spare is { } chain)
                {
                    GiveChain(chain);
                }

                (kept.First, kept.Count, kept.Spare) = (null, 0, kept.First);
            }

            (next, kept.First) = (kept.First, this);
            kept.Count++;
        }

        private static Machine<TMachine>? TakeChain()
        {
            if (s_chains is null)
            {
                return null;
            }

            lock (Gate)
            {
                if (s_chains is { } chain)
                {
                    (s_chains, chain.nextChain) = (chain.nextChain, null);
                    s_count--;
                    return chain;
                }

                return null;
            }
        }

        private static void GiveChain(Machine<TMachine> chain)
        {
            lock (Gate)
            {
                if (s_count < MostChains)
                {
                    (chain.nextChain, s_chains) = (s_chains, chain);
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

        // The calls that a thread keeps: a chain in use, and a complete one. So calls around the end of a chain need no lock.
        private struct Kept
        {
            public Machine<TMachine>? First;
            public int Count;
            public Machine<TMachine>? Spare;
        }
    }
}
