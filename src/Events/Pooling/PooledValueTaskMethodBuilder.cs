using System.Runtime.CompilerServices;

namespace EventHubThroughput.Events.Pooling;

/// <summary>
/// Builds async methods that return <see cref="ValueTask{TResult}"/> and that many callers await concurrently. The memory of a waiting call comes from a pool
/// of its method and returns there when its result is read. So the task must be awaited once and not kept, as each <see cref="ValueTask{TResult}"/>.
/// </summary>
/// <remarks>
/// The runtime's <see cref="PoolingAsyncValueTaskMethodBuilder{TResult}"/> keeps one for each thread and one for each processor: of 128 writes under way
/// nearly all would allocate (docs/results/ceiling.md has the effect of this one).
/// </remarks>
internal struct PooledValueTaskMethodBuilder<TResult>
{
    // Null until the call waits, or fails before it ever waited.
    private PooledCall<TResult>? call;
    private TResult result;

    public readonly ValueTask<TResult> Task => call is null ? new ValueTask<TResult>(result) : new ValueTask<TResult>(call, call.Version);

    public static PooledValueTaskMethodBuilder<TResult> Create() => default;

#pragma warning disable CA1822 // The compiler calls both on the instance.
    public readonly void Start<TMachine>(ref TMachine machine)
        where TMachine : IAsyncStateMachine => default(AsyncValueTaskMethodBuilder).Start(ref machine);

    // Only for a state machine that the compiler boxes, which it no longer does.
    public readonly void SetStateMachine(IAsyncStateMachine machine) { }
#pragma warning restore CA1822

    public void SetResult(TResult value)
    {
        if (call is null)
        {
            result = value;
        }
        else
        {
            call.SetResult(value);
        }
    }

    public void SetException(Exception exception) => (call ??= new PooledCall<TResult>()).SetException(exception);

    public void AwaitOnCompleted<TAwaiter, TMachine>(ref TAwaiter awaiter, ref TMachine machine)
        where TAwaiter : INotifyCompletion
        where TMachine : IAsyncStateMachine => PooledCall<TResult>.AwaitOnCompleted(ref call, ref awaiter, ref machine);

    public void AwaitUnsafeOnCompleted<TAwaiter, TMachine>(ref TAwaiter awaiter, ref TMachine machine)
        where TAwaiter : ICriticalNotifyCompletion
        where TMachine : IAsyncStateMachine => PooledCall<TResult>.AwaitUnsafeOnCompleted(ref call, ref awaiter, ref machine);
}
