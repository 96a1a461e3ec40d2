using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>Settings of a <see cref="MessageProcessor"/>.</summary>
public sealed record MessageProcessorOptions
{
    /// <summary>The most messages that a processor handles concurrently.</summary>
    public const int MostConcurrentCalls = 4_096;

    /// <summary>The longest time of any option: 1 day.</summary>
    public static readonly TimeSpan LongestTime = TimeSpan.FromDays(1);

    /// <summary>The shortest <see cref="ReceiveWait"/>: 1 ms.</summary>
    public static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(1);

    /// <summary>The most messages that are handled concurrently. 1 to 4,096. Default 1.</summary>
    public int MaximumConcurrentCalls { get; init; } = 1;

    /// <summary>How long a message's lock is renewed while its handler works. 0 to 1 day. Zero renews none. Default 5 min.</summary>
    public TimeSpan MaximumLockRenewal { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// The retry policy of receiving and settling: by default 5 retries, the first after up to 2 s, later ones after up to 60 s. The receiver's own retries
    /// multiply with these, so create it from clients with <see cref="RetryOptions.Once"/>. The receiver sets the time limits.
    /// </summary>
    public RetryOptions Retry { get; init; } =
        new()
        {
            MaximumRetries = 5,
            FirstDelay = TimeSpan.FromSeconds(2),
            MaximumDelay = TimeSpan.FromSeconds(60),
        };

    /// <summary>How long an idle processor waits for a message before it returns its credit and asks again. 1 ms to 1 day. Default 60 s.</summary>
    public TimeSpan ReceiveWait { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long handlers may take to finish after a stop before their tokens are cancelled. 0 to 1 day. Default 30 s.</summary>
    public TimeSpan DrainLimit { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Receives each failure, retried ones included, from any thread. Must not block. What it throws is logged. Null reports nothing.</summary>
    public Action<MessageProcessorError>? ErrorHandler { get; init; }

    /// <summary>Creates the logger of what the callbacks throw, category <c>EventHubThroughput.Clients.ServiceBus</c>. Null writes nothing.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The seed of the random waits before retries. Null for another one each time.</summary>
    public int? Seed { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>The problems of the options, one line each, <c>Option value: what is allowed</c>. None when they are valid.</summary>
    internal IEnumerable<string> Problems() =>
        [
            .. OptionLimits.Check(nameof(MaximumConcurrentCalls), MaximumConcurrentCalls, 1, MostConcurrentCalls),
            .. OptionLimits.Check(nameof(MaximumLockRenewal), MaximumLockRenewal, TimeSpan.Zero, LongestTime),
            .. OptionLimits.Check(nameof(ReceiveWait), ReceiveWait, ShortestWait, LongestTime),
            .. OptionLimits.Check(nameof(DrainLimit), DrainLimit, TimeSpan.Zero, LongestTime),
            .. Retry.Problems().Select(static problem => $"{nameof(Retry)}.{problem}"),
        ];
}
