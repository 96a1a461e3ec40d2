using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>How a consumer under supervision ended.</summary>
/// <param name="Code">Its exit code. 137 is death by SIGKILL.</param>
/// <param name="LastErrors">The end of its standard error.</param>
/// <param name="Recovery">From its announcement until its first event. Null when it had none.</param>
internal sealed record ConsumerEnd(int Code, string LastErrors, TimeSpan? Recovery)
{
    public const int Killed = 137;

    /// <summary>Whether it was asked to drain before it ended.</summary>
    public bool WasAsked { get; init; }
}

/// <summary>Starts one consumer as a separate process and waits for its end.</summary>
internal static class SupervisedConsumer
{
    private static readonly TimeSpan LookInterval = TimeSpan.FromMilliseconds(10);

    /// <summary>The limit of a consumer's run time: far more than it needs, even on a busy machine.</summary>
    /// <param name="events">The events of its backlog.</param>
    public static TimeSpan LimitFor(int events) => TimeSpan.FromSeconds(60) + (events * TimeSpan.FromMilliseconds(25));

    /// <param name="options">Its options, with its name.</param>
    /// <param name="drainAfter">Asks it to drain when it has stored this number of checkpoints. Null lets it run.</param>
    /// <param name="environment">Its connection settings.</param>
    /// <param name="watch">What follows the journal.</param>
    /// <param name="mostTime">How long it may live.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends it by force.</param>
    public static async Task<ConsumerEnd> RunAsync(
        RunOptions options,
        int? drainAfter,
        IReadOnlyDictionary<string, string> environment,
        RestartWatch watch,
        TimeSpan mostTime,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        watch.Begin();
        long announced = 0;
        await using var process = ConsumerProcess.Start(
            options,
            environment,
            clock,
            line =>
            {
                if (ReadyLine.IsOf(options.Processing.Identifier, line))
                {
                    Interlocked.CompareExchange(ref announced, clock.GetTimestamp(), 0);
                }
            }
        );
        using var limit = new CancellationTokenSource(mostTime, clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        var output = process.DiscardOutputAsync(either.Token);
        try
        {
            var (delivered, asked) = await WatchAsync(process, drainAfter, watch, clock, either.Token);
            await output;
            var words = await process.LastErrorAsync();
            TimeSpan? recovery = delivered is { } at && announced != 0 ? clock.GetElapsedTime(announced, Math.Max(announced, at)) : null;
            return new ConsumerEnd(process.ExitCode, words, recovery) { WasAsked = asked };
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            throw new FailureException(
                FailureCause.Verification,
                $"a restarted consumer ({options.Processing.Identifier}) did not end within {mostTime.TotalSeconds:0} s"
            );
        }
    }

    // Returns when the first delivery of an event was seen, and whether the consumer was asked to drain.
    private static async Task<(long? Delivered, bool Asked)> WatchAsync(
        ChildProcess process,
        int? drainAfter,
        RestartWatch watch,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        long? delivered = null;
        var asked = false;
        using var timer = new PeriodicTimer(LookInterval, clock);
        while (!process.Ended.IsCompleted)
        {
            watch.Look();
            delivered ??= watch.Delivered ? clock.GetTimestamp() : null;
            if (!asked && watch.Checkpoints >= drainAfter)
            {
                asked = true;
                await process.TerminateAsync();
            }

            await Task.WhenAny(process.Ended, timer.WaitForNextTickAsync(cancellationToken).AsTask());
            cancellationToken.ThrowIfCancellationRequested();
        }

        return (delivered, asked);
    }
}
