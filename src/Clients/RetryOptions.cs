using EventHubThroughput.Events;

namespace EventHubThroughput.Clients;

/// <summary>How the clients retry before an error reaches their caller. Clients refuse values outside of the limits.</summary>
public sealed record RetryOptions
{
    /// <summary>The most retries of an operation.</summary>
    public const int MostRetries = 100;

    /// <summary>The longest <see cref="FirstDelay"/>: 5 min, the limit of the official packages.</summary>
    public static readonly TimeSpan LongestFirstDelay = TimeSpan.FromMinutes(5);

    /// <summary>The longest <see cref="TryTimeout"/>: 1 h. The official packages refuse a day.</summary>
    public static readonly TimeSpan LongestTry = TimeSpan.FromHours(1);

    /// <summary>The longest of the other times: 1 day.</summary>
    public static readonly TimeSpan LongestTime = OptionLimits.LongestTime;

    /// <summary>One try: for callers that count and schedule their retries themselves.</summary>
    public static RetryOptions Once { get; } = new() { MaximumRetries = 0 };

    /// <summary>The longest wait before the first retry. It doubles with every further retry. 1 ms to 5 min. Default 0.1 s.</summary>
    public TimeSpan FirstDelay { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Upper limit of a wait, 1 ms to 1 day. Default 5 s.</summary>
    public TimeSpan MaximumDelay { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Retries of one operation after transient errors of the service. 0 to 100. Default 5. Tries without a connection do not count. With 0 the caller must
    /// repeat those too.
    /// </summary>
    public int MaximumRetries { get; init; } = 5;

    /// <summary>How long one try may go without an answer, 1 ms to 1 h. Default 20 s.</summary>
    public TimeSpan TryTimeout { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>How long an operation may take with all its tries, 1 ms to 1 day. Default 60 s.</summary>
    public TimeSpan OperationTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// How long one connection after another may fail before operations fail with kind Unreachable, 0 to 1 day. With 0 the first failure ends the operation.
    /// Default 60 s.
    /// </summary>
    public TimeSpan UnreachableLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The problems of the options, one line each, <c>Option value: what is allowed</c>. None when they are valid.</summary>
    internal IEnumerable<string> Problems() =>
        [
            .. OptionLimits.Check(nameof(MaximumRetries), MaximumRetries, 0, MostRetries),
            .. OptionLimits.Check(nameof(FirstDelay), FirstDelay, OptionLimits.ShortestTime, LongestFirstDelay),
            .. OptionLimits.Check(nameof(MaximumDelay), MaximumDelay, OptionLimits.ShortestTime, LongestTime),
            .. OptionLimits.Check(nameof(TryTimeout), TryTimeout, OptionLimits.ShortestTime, LongestTry),
            .. OptionLimits.Check(nameof(OperationTimeout), OperationTimeout, OptionLimits.ShortestTime, LongestTime),
            .. OptionLimits.Check(nameof(UnreachableLimit), UnreachableLimit, TimeSpan.Zero, LongestTime),
        ];

    /// <summary>
    /// The wait before retry number <paramref name="retry"/>, counted from 0: a random part (full jitter) of the doubled delay, so that callers that failed
    /// together do not retry together.
    /// </summary>
    /// <param name="retry">The number of retries before.</param>
    /// <param name="random">A number from 0 up to 1.</param>
    public TimeSpan DelayOf(int retry, double random) => BackOff.DelayOf(retry, FirstDelay, MaximumDelay, random);
}
