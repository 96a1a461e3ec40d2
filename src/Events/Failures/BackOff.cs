namespace EventHubThroughput.Events;

/// <summary>
/// The waits between tries. Each is double the one before, and random (full jitter), so that callers that failed together do not retry together.
/// </summary>
internal static class BackOff
{
    /// <summary>The wait before a retry.</summary>
    /// <param name="retry">The number of retries before. From 0.</param>
    /// <param name="first">The longest wait before the first retry.</param>
    /// <param name="longest">The upper limit of a wait.</param>
    /// <param name="random">A number from 0 up to 1.</param>
    public static TimeSpan DelayOf(int retry, TimeSpan first, TimeSpan longest, double random) =>
        TimeSpan.FromMilliseconds(Math.Min(longest.TotalMilliseconds, first.TotalMilliseconds * Math.Pow(2, Math.Min(retry, 32))) * random);
}
