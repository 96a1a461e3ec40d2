using EventHubThroughput.Pump.Retrying;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Processing;

/// <summary>The options of a redrive. Every default is safe.</summary>
public sealed record RedriveOptions
{
    /// <summary>The longest operation limit: 10 min.</summary>
    public static readonly TimeSpan MostOperationLimit = TimeSpan.FromMinutes(10);

    /// <summary>
    /// Concurrently written dead letters, 1 to 4,096, begun in the order of partition and sequence number. Default 1: a crash repeats at most one.
    /// </summary>
    public int MaxConcurrency { get; init; } = 1;

    /// <summary>Tries of a write after the first, 0 to 100. Tries without a connection do not count. Default 5.</summary>
    public int Retries { get; init; } = 5;

    /// <summary>
    /// How long a write may take with all its tries, 1 ms to 10 min. Default 30 s. A dead letter is claimed for twice that time. If its owner was killed,
    /// others wait for the claim time and a quarter more.
    /// </summary>
    public TimeSpan OperationLimit { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long writes in flight may take to finish when it is stopped, 1 ms to 1 day. Default 30 s.</summary>
    public TimeSpan DrainLimit { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Only lists: nothing is written, claimed or removed.</summary>
    public bool DryRun { get; init; }

    /// <summary>Called, from any thread, with the outcome of each dead letter. What it throws is logged. Null reports nothing.</summary>
    public Action<RedriveStep>? Step { get; init; }

    /// <summary>Called with a line, from any thread, that names what the redrive waits for. What it throws is logged. Null reports nothing.</summary>
    public Action<string>? Notice { get; init; }

    /// <summary>Creates the loggers, as for a processing. They log failed tries and what ends a redrive. Null writes nothing.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Returns the jitter of waits, 0 to 1.</summary>
    internal Func<double> Jitter { get; init; } = Random.Shared.NextDouble;

    internal RetryRule RetryRule =>
        new()
        {
            Limit = Retries,
            OperationLimit = OperationLimit,
            Jitter = Jitter,
        };

    internal TimeSpan ClaimLimit => 2 * OperationLimit;

    /// <summary>The problems of the options, one line each, <c>Option value: what is allowed</c>. None when they are valid.</summary>
    internal IEnumerable<string> Problems()
    {
        if (MaxConcurrency is < 1 or > ProcessingOptions.MaxConcurrencyLimit)
        {
            yield return $"{nameof(MaxConcurrency)} {MaxConcurrency}: allowed 1 to {ProcessingOptions.MaxConcurrencyLimit}";
        }

        if (Retries is < 0 or > 100)
        {
            yield return $"{nameof(Retries)} {Retries}: allowed 0 to 100";
        }

        if (OperationLimit < ProcessingOptions.LeastTime || OperationLimit > MostOperationLimit)
        {
            yield return $"{nameof(OperationLimit)} {OperationLimit}: allowed {ProcessingOptions.LeastTime} to {MostOperationLimit}";
        }

        if (DrainLimit < ProcessingOptions.LeastTime || DrainLimit > ProcessingOptions.MostTime)
        {
            yield return $"{nameof(DrainLimit)} {DrainLimit}: allowed {ProcessingOptions.LeastTime} to {ProcessingOptions.MostTime}";
        }
    }
}
