using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients;

/// <summary>The options of every client family. Clients refuse values outside of the limits.</summary>
public record ClientOptions
{
    /// <summary>The retry policy of operations.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>
    /// The retry policy of writes to Service Bus, to the containers and of checkpoints. Null uses <see cref="Retry"/>. A caller that repeats writes itself
    /// passes <see cref="RetryOptions.Once"/>: two layers would multiply.
    /// </summary>
    public RetryOptions? Writes { get; init; }

    /// <summary>
    /// Receives the steps of sent messages and written blobs, from any thread. Must not block. What it throws is logged. Null, the default, costs nothing.
    /// </summary>
    public Action<OperationStep>? Observer { get; init; }

    /// <summary>
    /// Receives the least difference of the storage clock, once per answer and from any thread. Must not block. What it throws is logged. Null, the default,
    /// costs nothing.
    /// </summary>
    public Action<ClockDifference>? StorageClockRead { get; init; }

    /// <summary>
    /// Receives a line from any thread: a service has been unreachable for a second, another processor has the same name, or a blob is not an ownership. What
    /// it throws is logged. Null reports nothing.
    /// </summary>
    public Action<string>? Notice { get; init; }

    /// <summary>
    /// Creates the loggers. They show lost connections, exhausted retries and every other failure that the clients swallow, refuse or abandon. Repeated lines
    /// are limited. Null, the default, writes nothing.
    /// </summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>The problems of the options, one line each, <c>Option value: what is allowed</c>. None when they are valid.</summary>
    internal virtual IEnumerable<string> Problems() =>
        [
            .. Retry.Problems().Select(static problem => $"{nameof(Retry)}.{problem}"),
            .. Writes?.Problems().Select(static problem => $"{nameof(Writes)}.{problem}") ?? [],
        ];

    /// <summary>The same options, of the same family. Exceptions of their callbacks cannot reach the clients.</summary>
    /// <param name="log">Logs what the callbacks throw.</param>
    internal ClientOptions Guarded(ILogger log) =>
        this with
        {
            Observer = GuardedCallback.Of(Observer, nameof(Observer), log),
            StorageClockRead = GuardedCallback.Of(StorageClockRead, nameof(StorageClockRead), log),
            Notice = GuardedCallback.Of(Notice, nameof(Notice), log),
        };
}
