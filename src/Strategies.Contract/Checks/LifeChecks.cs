using EventHubThroughput.Strategies.Contract.Trials;

namespace EventHubThroughput.Strategies.Contract.Checks;

/// <summary>The end of a strategy's life.</summary>
internal static class LifeChecks
{
    private static readonly TimeSpan Ages = TimeSpan.FromHours(1);

    public static IReadOnlyList<StrategyCheck> All { get; } =
    [new("may be disposed of twice, and without having done anything", IsDisposedOf), new("leaves no work after its end", LeavesNothingBehind)];

    private static void IsDisposedOf(TrialSubject subject)
    {
        foreach (var batches in new[] { 0, 2 })
        {
            TrialSubject.Once(async clock =>
            {
                var trial = new Trial(subject.Strategy, clock, trial => [Trial.Taking(trial, "a", TimeSpan.FromMilliseconds(10))]);
                await trial.LiveAsync(Enumerable.Range(0, batches).Select(batch => TrialWorkload.Batch(10, batch * 10)), CancellationToken.None);
                await trial.Strategy.DisposeAsync();
            });
        }
    }

    // After every kind of end: all written, a write failed, or cancelled.
    private static void LeavesNothingBehind(TrialSubject subject) =>
        subject.Explore(async chance =>
        {
            var clock = chance.Clock;
            var fails = chance.Between(0, 2) == 0 ? chance.Between(0, 30) : -1;
            using var cut = new CancellationTokenSource();
            using var cutting = clock.CreateTimer(
                _ => cut.Cancel(),
                null,
                chance.Between(0, 2) == 0 ? TimeSpan.FromMilliseconds(chance.Between(0, 60)) : Timeout.InfiniteTimeSpan,
                Timeout.InfiniteTimeSpan
            );
            var trial = new Trial(
                subject.Strategy,
                clock,
                trial =>
                    [
                        new TrialSink(
                            trial,
                            "a",
                            async (written, cancellationToken) =>
                            {
                                await clock.DelayAsync(TimeSpan.FromMilliseconds(chance.Between(0, 20)), cancellationToken);
                                if (written.SequenceNumber == fails)
                                {
                                    throw new InvalidOperationException("the sink has failed for good");
                                }
                            },
                            largestBatch: 3
                        ),
                    ],
                context => context with { Lifetime = cut.Token }
            );
            await trial.LiveAsync([TrialWorkload.Batch(15, keys: 3), TrialWorkload.Batch(16, first: 15, keys: 3)], cut.Token);
            await cutting.DisposeAsync();

            var (writes, reported) = (trial.Log.Count, trial.Reported.Count);
            if (trial.InFlight > 0)
            {
                throw new StrategyContractException($"{trial.InFlight} writes were in flight after its disposal");
            }

            if (clock.PendingTimers > 0)
            {
                throw new StrategyContractException($"{clock.PendingTimers} timers were still set after its disposal");
            }

            await clock.DelayAsync(Ages, CancellationToken.None);
            if (trial.Log.Count > writes || trial.Reported.Count > reported)
            {
                throw new StrategyContractException(
                    $"it continued after its disposal: {trial.Log.Count - writes} writes, {trial.Reported.Count - reported} failures reported"
                );
            }

            if (trial.Context.Limit.Entered > 0)
            {
                throw new StrategyContractException($"it holds {trial.Context.Limit.Entered} entries of the shared limit after its disposal");
            }
        });
}
