using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace EventHubThroughput.Amqp;

/// <summary>
/// A read that lends the read loop's thread: while the read waits for bytes, a caller runs on this thread. The thread on which the bytes
/// arrive then runs the read loop. The caller may block for as long as it likes if the stream completes its reads in the thread pool, as
/// sockets do.
/// </summary>
/// <param name="read">The started read.</param>
/// <param name="caller">The caller that runs in the meantime. Null for none.</param>
internal readonly struct InlineContinuationRead(ValueTask<ReadResult> read, IThreadPoolWorkItem? caller) : ICriticalNotifyCompletion
{
    private readonly ConfiguredValueTaskAwaitable<ReadResult>.ConfiguredValueTaskAwaiter _awaiter = read.ConfigureAwait(false).GetAwaiter();

    /// <summary>Never while there is a caller to run: a read that is already complete then continues in the thread pool.</summary>
    public bool IsCompleted => caller is null && _awaiter.IsCompleted;

    public InlineContinuationRead GetAwaiter() => this;

#pragma warning disable VSTHRD002 // Nothing waits here: it is called when the read is complete.
    public ReadResult GetResult() => _awaiter.GetResult();
#pragma warning restore VSTHRD002

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        // From here on the read loop may continue on another thread.
        var waiter = caller;
        _awaiter.UnsafeOnCompleted(continuation);
        if (waiter is null)
        {
            return;
        }

        // A stream may complete its reads on the thread that writes. That could put the callers of both ends on one stack, or on a thread outside of the
        // pool.
        if (Thread.CurrentThread.IsThreadPoolThread && RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            waiter.Execute();
        }
        else
        {
            ContinuationQueue.Queue(waiter);
        }
    }
}
