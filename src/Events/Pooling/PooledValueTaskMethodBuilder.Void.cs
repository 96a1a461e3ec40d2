using System.Runtime.CompilerServices;

namespace EventHubThroughput.Events.Pooling;

/// <summary><see cref="PooledValueTaskMethodBuilder{TResult}"/> for methods without a result.</summary>
internal struct PooledValueTaskMethodBuilder
{
    // Null until the call waits, or fails before it ever waited.
    private PooledCall<bool>? call;

    public readonly ValueTask Task => call is null ? default : new ValueTask(call, call.Version);

    public static PooledValueTaskMethodBuilder Create() => default;

#pragma warning disable CA1822 // The compiler calls both on the instance.
    public readonly void Start<TMachine>(ref TMachine machine)
        where TMachine : IAsyncStateMachine => default(AsyncValueTaskMethodBuilder).Start(ref machine);

    // Only for a state machine that the compiler boxes, which it no longer does.
    public readonly void SetStateMachine(IAsyncStateMachine machine) { }
#pragma warning restore CA1822

    public readonly void SetResult() => call?.SetResult(true);

    public void SetException(Exception exception) => (call ??= new PooledCall<bool>()).SetException(exception);

    public void AwaitOnCompleted<TAwaiter, TMachine>(ref TAwaiter awaiter, ref TMachine machine)
        where TAwaiter : INotifyCompletion
        where TMachine : IAsyncStateMachine => PooledCall<bool>.AwaitOnCompleted(ref call, ref awaiter, ref machine);

    public void AwaitUnsafeOnCompleted<TAwaiter, TMachine>(ref TAwaiter awaiter, ref TMachine machine)
        where TAwaiter : ICriticalNotifyCompletion
        where TMachine : IAsyncStateMachine => PooledCall<bool>.AwaitUnsafeOnCompleted(ref call, ref awaiter, ref machine);
}
