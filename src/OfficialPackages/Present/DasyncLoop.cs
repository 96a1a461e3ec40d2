using System.Runtime.ExceptionServices;
using Dasync.Collections;

namespace EventHubThroughput.OfficialPackages;

/// <summary>ParallelForEachAsync of Dasync.Collections, as both strategies use it.</summary>
/// <remarks>
/// Three of its properties matter here. A degree of 0 means processors - 1, but the degree of a strategy is never 0. It counts a cancelled body as completed,
/// so such a body is recorded and thrown at the end. It runs on the thread pool with any scheduler of the caller.
/// </remarks>
internal static class DasyncLoop
{
    public static async Task RunAsync<T>(IEnumerable<T> items, int degree, Func<T, Task> body, CancellationToken cancellationToken)
    {
        ExceptionDispatchInfo? cancelled = null;
        try
        {
            await items.ParallelForEachAsync(BodyAsync, degree, breakLoopOnException: true, cancellationToken);
        }
        catch (ParallelForEachException failures)
        {
            // The other loops throw the first failure itself, and their caller depends on its type.
            ExceptionDispatchInfo.Throw(failures.InnerExceptions[0]);
        }

        cancelled?.Throw();

        async Task BodyAsync(T item)
        {
            // A body that computes before its first await would delay all others.
            await Task.Yield();
            try
            {
                await body(item);
            }
            catch (OperationCanceledException cancellation)
            {
                Interlocked.CompareExchange(ref cancelled, ExceptionDispatchInfo.Capture(cancellation), null);
                throw;
            }
        }
    }
}
