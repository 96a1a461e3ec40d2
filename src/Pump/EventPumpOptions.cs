using EventHubThroughput.Strategies;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Pump;

/// <summary>The options of a pump. The defaults are safe: no checkpoint passes an event that is not complete.</summary>
public sealed record EventPumpOptions
{
    /// <summary>The largest number of events in flight.</summary>
    public const int MaxConcurrencyLimit = 4096;

    /// <summary>The largest window.</summary>
    public const int WindowLimit = 10_000_000;

    /// <summary>The most retries.</summary>
    public const int RetriesLimit = 1000;

    internal const int ConcurrenciesOfWindow = 8;

    // So that the caller waits for many events together, not for each.
    internal const int LeastUsualWindow = 64;

    /// <summary>
    /// The most events of a partition that are accepted and not complete, or follow one that is not. At least the concurrency, at most 10,000,000. Null:
    /// eight times the concurrency, at least 64.
    /// </summary>
    public int? Window { get; init; }

    /// <summary>The most events of a partition that a crash repeats: at least the window and one checkpoint's events. Null: twice that.</summary>
    public int? ReplayLimit { get; init; }

    /// <summary>A checkpoint is stored after this many complete events, at least 1. Default 1000.</summary>
    public int CheckpointEvents { get; init; } = CheckpointOptions.UsualEvents;

    /// <summary>A checkpoint is stored when the oldest complete event without one is older than this. Default 5 s.</summary>
    public TimeSpan CheckpointInterval { get; init; } = CheckpointOptions.IntervalBesideCount;

    /// <summary>Tries of the handler for an event after the first, 0 to 1,000. Default 5.</summary>
    public int Retries { get; init; } = 5;

    /// <summary>How long the handler may take for an event with all tries. Then its token is cancelled. Default 60 s.</summary>
    public TimeSpan OperationLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long handlers in flight may take when a partition closes. Then their tokens are cancelled. Default 30 s.</summary>
    public TimeSpan DrainLimit { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The policy for an event for which the handler has failed for good. Default: the pump stops before it.</summary>
    public PoisonPolicy OnPoison { get; init; } = PoisonPolicy.Stop;

    /// <summary>
    /// Stores an event in the dead-letter store. Needed by <see cref="PoisonPolicy.DeadLetter"/>. Called again after a failure, like the handler.
    /// </summary>
    public Func<DeadLetteredEvent, CancellationToken, ValueTask>? DeadLetter { get; init; }

    /// <summary>Called for each failed checkpoint and for each failure that ends the pump, from any thread. What it throws is logged.</summary>
    public Action<EventPumpFault>? OnFault { get; init; }

    /// <summary>Creates the logger, category <c>EventHubThroughput.Pump</c>. Null writes nothing.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    internal CheckpointOptions Checkpoints => CheckpointOptions.From(CheckpointEvents, CheckpointInterval);

    internal void ThrowIfInvalid(StrategyDescriptor strategy, int maxConcurrency)
    {
        Check(maxConcurrency is >= 1 and <= MaxConcurrencyLimit, nameof(maxConcurrency), maxConcurrency, $"1 to {MaxConcurrencyLimit}");
        Check(
            Window is null || (Window >= maxConcurrency && Window <= WindowLimit),
            nameof(Window),
            Window,
            $"{maxConcurrency} (the concurrency) to {WindowLimit}"
        );
        Check(CheckpointEvents >= 1, nameof(CheckpointEvents), CheckpointEvents, "at least 1");
        var least = DispatchLimits.LeastReplay(strategy.IsBarrier, batch: 1, maxConcurrency, Checkpoints, Window);
        Check(ReplayLimit is null || ReplayLimit >= least, nameof(ReplayLimit), ReplayLimit, $"at least {least} (the window and the events of a checkpoint)");
        Check(Retries is >= 0 and <= RetriesLimit, nameof(Retries), Retries, $"0 to {RetriesLimit}");
        Check(OnPoison != PoisonPolicy.DeadLetter || DeadLetter is not null, nameof(OnPoison), OnPoison, $"with {nameof(DeadLetter)} set");
        CheckTime(nameof(CheckpointInterval), CheckpointInterval);
        CheckTime(nameof(OperationLimit), OperationLimit);
        CheckTime(nameof(DrainLimit), DrainLimit);
    }

    private static void CheckTime(string name, TimeSpan value) =>
        Check(value >= TimeSpan.FromMilliseconds(1) && value <= TimeSpan.FromDays(1), name, value, "1 ms to 1 day");

    private static void Check(bool isAllowed, string name, object? value, string allowed)
    {
        if (!isAllowed)
        {
            throw new ArgumentOutOfRangeException(name, value, $"allowed: {allowed}");
        }
    }
}
