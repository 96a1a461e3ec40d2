namespace Dasync.Collections;

/// <summary>
/// Declares the used part of the package AsyncEnumerator (4.0.2), and behaves as documented. Items run concurrently up to the degree, no further ones
/// start after a failure or a cancellation, and one exception has all failures.
/// </summary>
public static class ParallelForEachExtensions
{
    public static async Task ParallelForEachAsync<T>(
        this IEnumerable<T> collection,
        Func<T, Task> asyncItemAction,
        int maxDegreeOfParallelism,
        bool breakLoopOnException,
        CancellationToken cancellationToken = default
    )
    {
        var all = new List<Task>();
        var running = new List<Task>();
        foreach (var item in collection)
        {
            if (running.Count == maxDegreeOfParallelism)
            {
                running.Remove(await Task.WhenAny(running));
            }

            if (cancellationToken.IsCancellationRequested || (breakLoopOnException && all.Any(static task => task.IsFaulted)))
            {
                break;
            }

            var begun = asyncItemAction(item);
            all.Add(begun);
            running.Add(begun);
        }

        await Task.WhenAll(all).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
        if (all.Any(static task => task.IsFaulted))
        {
            throw new ParallelForEachException(all.Where(static task => task.IsFaulted).SelectMany(static task => task.Exception!.InnerExceptions));
        }

        cancellationToken.ThrowIfCancellationRequested();
    }
}

/// <summary>All failures of one loop.</summary>
public class ParallelForEachException : AggregateException
{
    internal ParallelForEachException(IEnumerable<Exception> failures)
        : base(failures) { }
}
