namespace EventHubThroughput.Clients;

/// <summary>How the clients try again by themselves, before an error reaches their caller.</summary>
public sealed record RetryOptions
{
    /// <summary>One try: for callers who count and space their tries themselves.</summary>
    public static RetryOptions Once { get; } = new() { MaximumRetries = 0 };

    /// <summary>The longest wait before the first retry; it doubles with every further one. Default 0.1 s.</summary>
    public TimeSpan FirstDelay { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Upper limit of a wait. Default 5 s.</summary>
    public TimeSpan MaximumDelay { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Retries of one operation after transient errors of the service; 0 to 100. Default 5. Tries that found no connection do not
    /// count; with 0 they too are the caller's to repeat.
    /// </summary>
    public int MaximumRetries { get; init; } = 5;

    /// <summary>How long one try may go without an answer. Default 20 s.</summary>
    public TimeSpan TryTimeout { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>How long an operation may take with all its tries. Default 60 s.</summary>
    public TimeSpan OperationTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long one connection after another may fail before operations fail with kind Unreachable. Default 60 s.</summary>
    public TimeSpan UnreachableLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// The wait before retry number <paramref name="retry"/>, counted from 0: a random part (full jitter) of the doubled delay, so
    /// that callers who failed together do not come back together.
    /// </summary>
    /// <param name="retry">How many retries went before.</param>
    /// <param name="random">A number from 0 up to 1.</param>
    public TimeSpan DelayOf(int retry, double random)
    {
        var limit = Math.Min(MaximumDelay.TotalMilliseconds, FirstDelay.TotalMilliseconds * Math.Pow(2, Math.Min(retry, 32)));
        return TimeSpan.FromMilliseconds(limit * random);
    }
}
