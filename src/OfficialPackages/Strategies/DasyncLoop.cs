using System.Runtime.ExceptionServices;
using Dasync.Collections;

namespace EventHubThroughput.OfficialPackages.Strategies;

/// <summary>ParallelForEachAsync of Dasync.Collections as both strategies use it.</summary>
/// <remarks>
/// Its traps do no harm here, because an event is complete when every sink has acknowledged it, whatever the loop says of it: a
/// degree of 0 means processors - 1 (ours is never 0), a body that is cancelled counts as done, and of failures in a race one may be
/// lost. It runs on the thread pool whatever the caller's scheduler.
/// </remarks>
internal static class DasyncLoop
{
    public static async Task RunAsync<T>(IEnumerable<T> items, int degree, Func<T, Task> body, CancellationToken cancellationToken)
    {
        try
        {
            await items.ParallelForEachAsync(body, degree, breakLoopOnException: true, cancellationToken);
        }
        catch (ParallelForEachException failures)
        {
            // The other loops throw the first failure as it is, and their caller goes by its type.
            ExceptionDispatchInfo.Throw(failures.InnerExceptions[0]);
        }
    }
}
