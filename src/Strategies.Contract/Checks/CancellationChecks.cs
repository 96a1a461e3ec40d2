using EventHubThroughput.Strategies.Contract.Trials;

namespace EventHubThroughput.Strategies.Contract.Checks;

/// <summary>What a strategy does when its partition is lost or its time has expired: the token of its dispatches and of its lifetime is cancelled.</summary>
internal static class CancellationChecks
{
    private const int Count = 100;
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan CutAt = 2.5 * Latency;

    public static IReadOnlyList<StrategyCheck> All { get; } =
    [
        new("cuts its writes when it is cancelled", CutsItsWrites),
        new("starts no write after its cancellation, even if the sinks ignore it", BeginsNothingMore),
        new("starts no write when it was cancelled before", BeginsNothingAtAll),
    ];

    private static void CutsItsWrites(TrialSubject subject) =>
        TrialSubject.Once(async clock =>
        {
            using var cancellation = new CancellationTokenSource(CutAt, clock);
            var trial = new Trial(
                subject.Strategy,
                clock,
                trial => [Trial.Taking(trial, "a", Latency), Trial.Taking(trial, "b", Latency)],
                context => context with { MaxConcurrency = subject.Strategy.MaxConcurrencyInForce(2), Lifetime = cancellation.Token }
            );
            var end = await trial.LiveAsync([TrialWorkload.Batch(Count)], cancellation.Token);
            DeliveryChecks.ExpectWithin(subject.Strategy, trial);
            if (trial.Log.FirstOrDefault(write => write.Ended is null || write.Ended > CutAt) is { } slow)
            {
                throw new StrategyContractException(
                    $"event {slow.Sequence} was still being written to {slow.Sink} after the cancellation: hand the token on to the sinks"
                );
            }

            ExpectCancellation(subject, end, CutAt);
        });

    private static void BeginsNothingMore(TrialSubject subject) =>
        TrialSubject.Once(async clock =>
        {
            using var cancellation = new CancellationTokenSource(CutAt, clock);
            var trial = new Trial(
                subject.Strategy,
                clock,
                trial =>
                    [
                        new TrialSink(trial, "deaf", (_, _) => clock.DelayAsync(Latency, CancellationToken.None)),
                        new TrialSink(trial, "as deaf", (_, _) => clock.DelayAsync(Latency, CancellationToken.None)),
                    ],
                context => context with { MaxConcurrency = subject.Strategy.MaxConcurrencyInForce(2), Lifetime = cancellation.Token }
            );
            var end = await trial.LiveAsync([TrialWorkload.Batch(Count)], cancellation.Token);
            DeliveryChecks.ExpectWithin(subject.Strategy, trial);
            if (trial.Log.FirstOrDefault(write => write.Begun >= CutAt) is { } begun)
            {
                throw new StrategyContractException($"the write of event {begun.Sequence} was begun after the cancellation");
            }

            if (trial.Log.FirstOrDefault(write => !write.Acknowledged) is { } open)
            {
                throw new StrategyContractException($"it did not wait for the write of event {open.Sequence}, whose sink ignores the cancellation");
            }

            ExpectCancellation(subject, end, 3 * Latency);
        });

    private static void BeginsNothingAtAll(TrialSubject subject) =>
        TrialSubject.Once(async clock =>
        {
            var cancelled = new CancellationToken(canceled: true);
            var trial = new Trial(
                subject.Strategy,
                clock,
                trial => [new TrialSink(trial, "deaf", (_, _) => Task.CompletedTask)],
                context => context with { Lifetime = cancelled }
            );
            var end = await trial.LiveAsync([TrialWorkload.Batch(10)], cancelled);
            if (trial.Log.Count > 0)
            {
                throw new StrategyContractException($"it began {trial.Log.Count} writes although it was cancelled before");
            }

            ExpectCancellation(subject, end, TimeSpan.Zero);
        });

    // The dispatch of a strategy without a barrier may have returned before. That of a barrier has not.
    private static void ExpectCancellation(TrialSubject subject, TrialEnd end, TimeSpan by)
    {
        var surfaced = end.Dispatching ?? end.Draining;
        if (surfaced is not (null or OperationCanceledException) || (surfaced is null && subject.Strategy.IsBarrier))
        {
            throw new StrategyContractException(
                surfaced is null
                    ? "it was cancelled, and neither a dispatch nor the drain threw OperationCanceledException"
                    : $"it was cancelled, and a dispatch or the drain threw {surfaced.GetType().Name}: {surfaced.Message}"
            );
        }

        if (end.At > by)
        {
            throw new StrategyContractException(
                $"it was to end at {by.TotalMilliseconds} ms, when its last write could, and ended at {end.At.TotalMilliseconds} ms"
            );
        }
    }
}
