using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients;

/// <summary>The options of every family of clients. Clients refuse values beyond their limits.</summary>
public record ClientOptions
{
    /// <summary>How operations are tried again.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>
    /// How writes to Service Bus, to the containers and of checkpoints are tried again. Null as everything else. A caller who repeats
    /// them himself takes <see cref="RetryOptions.Once"/>: two layers would multiply.
    /// </summary>
    public RetryOptions? Writes { get; init; }

    /// <summary>
    /// Called with how far messages and writes of blobs have come, from any thread. Must not block. What it throws is logged. Null, the default, costs nothing.
    /// </summary>
    public Action<OperationStep>? Observer { get; init; }

    /// <summary>Told by every answer of storage what it proves about its clock, from any thread. Must not block. What it throws is logged. Null, the default, costs nothing.</summary>
    public Action<ClockDifference>? StorageClockRead { get; init; }

    /// <summary>
    /// Called with a line, from any thread: a service has been out of reach for a second, another processor has the same name, a blob is no
    /// ownership. What it throws is logged. Null reports nothing.
    /// </summary>
    public Action<string>? Notice { get; init; }

    /// <summary>
    /// Makes the loggers, by which connections that were lost, retries that were used up and all else that the clients swallow, refuse or give up can
    /// be read. Lines that repeat themselves are limited. Null, the default, writes nothing.
    /// </summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>What is wrong with the options, one line each, <c>Option value: what is allowed</c>. None when they can be used.</summary>
    internal virtual IEnumerable<string> Problems() =>
        [
            .. Retry.Problems().Select(static problem => $"{nameof(Retry)}.{problem}"),
            .. Writes?.Problems().Select(static problem => $"{nameof(Writes)}.{problem}") ?? [],
        ];

    /// <summary>The same options, of the same family, whose callbacks cannot disturb the clients.</summary>
    /// <param name="log">Where what they throw is logged.</param>
    internal ClientOptions Guarded(ILogger log) =>
        this with
        {
            Observer = GuardedCallback.Of(Observer, nameof(Observer), log),
            StorageClockRead = GuardedCallback.Of(StorageClockRead, nameof(StorageClockRead), log),
            Notice = GuardedCallback.Of(Notice, nameof(Notice), log),
        };
}
