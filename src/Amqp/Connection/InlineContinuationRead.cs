using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace EventHubThroughput.Amqp;

/// <summary>
/// A read that lends its thread: once it waits for bytes, and whichever thread they come on is the read loop's, a caller goes on here. He may
/// block for as long as he likes, of a stream that completes its reads in the thread pool, as sockets do.
/// </summary>
/// <param name="read">The read, begun.</param>
/// <param name="caller">Who goes on meanwhile. Null for nobody.</param>
internal readonly struct InlineContinuationRead(ValueTask<ReadResult> read, IThreadPoolWorkItem? caller) : ICriticalNotifyCompletion
{
    private readonly ConfiguredValueTaskAwaitable<ReadResult>.ConfiguredValueTaskAwaiter _awaiter = read.ConfigureAwait(false).GetAwaiter();

    /// <summary>Never while somebody is to go on: a read that is complete by now does so in the thread pool.</summary>
    public bool IsCompleted => caller is null && _awaiter.IsCompleted;

    public InlineContinuationRead GetAwaiter() => this;

#pragma warning disable VSTHRD002 // Nothing waits here: it is called when the read is complete.
    public ReadResult GetResult() => _awaiter.GetResult();
#pragma warning restore VSTHRD002

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        // From here on the read loop may go on elsewhere.
        var guest = caller;
        _awaiter.UnsafeOnCompleted(continuation);
        if (guest is null)
        {
            return;
        }

        // A stream that completes its reads where it is written could pile up both ends' callers on one stack, or on a thread that is not the pool's.
        if (Thread.CurrentThread.IsThreadPoolThread && RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            guest.Execute();
        }
        else
        {
            ContinuationQueue.Queue(guest);
        }
    }
}
