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
    /// <param name="call">The builder's own, a part of the machine. Null before the first wait.</param>
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
        // Many calls begin on one thread and end on another, so that threads give each other calls: whole chains, for a lock once a chain.
        private const int ChainLength = 16;

        // Of one method, over all partitions and sinks, beside the two chains that each thread keeps. A call beyond that costs an allocation.
        private const int MostChains = 64;

        private static readonly Lock Gate = new();

        [ThreadStatic]
        private static Kept t_kept;

        // Under the gate, but for a look whether there are any.
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

        // What a thread keeps for its next calls: a chain in use, and a whole one, so that calls around the end of a chain need no lock.
        private struct Kept
        {
            public Machine<TMachine>? First;
            public int Count;
            public Machine<TMachine>? Spare;
        }
    }
}
