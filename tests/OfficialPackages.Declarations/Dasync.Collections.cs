// Without annotations, as in the package.
#nullable disable

namespace Dasync.Collections;

[ReadFrom("AsyncEnumerator", "4.0.2")]
public class ParallelForEachException : AggregateException
{
    internal ParallelForEachException() => throw null!;
}

[ReadFrom("AsyncEnumerator", "4.0.2")]
public static class ParallelForEachExtensions
{
    public static Task ParallelForEachAsync<T>(
        this IEnumerable<T> collection,
        Func<T, Task> asyncItemAction,
        int maxDegreeOfParallelism,
        bool breakLoopOnException,
        CancellationToken cancellationToken = default
    ) => throw null!;
}
