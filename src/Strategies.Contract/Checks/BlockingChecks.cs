using EventHubThroughput.Strategies.Contract.Trials;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Contract.Checks;

/// <summary>Sinks that work before their first await: for example a handler that computes, or that blocks its thread.</summary>
internal static class BlockingChecks
{
    private const int Count = 40;
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(10);

    public static IReadOnlyList<StrategyCheck> All { get; } = [new("has the same concurrency when its sinks block", WritesAsManyAtOnce)];

    // The measure is what a strategy reaches with sinks that wait asynchronously.
    private static void WritesAsManyAtOnce(TrialSubject subject)
    {
        var (what, awaiting) = PeakConcurrency(subject, static (trial, clock) => Trial.Taking(trial, "a", Latency));
        var (_, blocking) = PeakConcurrency(subject, (trial, _) => Blocking(trial, awaiting));
        if (blocking < awaiting)
        {
            throw new StrategyContractException(
                $"{blocking} {what} with a sink that blocks its thread, {awaiting} with one that waits asynchronously: start each write on a separate stack"
            );
        }
    }

    // The larger of the results for events without a key and for events with distinct keys.
    private static (string What, int Most) PeakConcurrency(TrialSubject subject, Func<Trial, VirtualClock, TrialSink> sink) =>
        new[] { 0, Count }.Select(keys => PeakConcurrency(subject, keys, sink)).MaxBy(static found => found.Most);

    private static (string What, int Most) PeakConcurrency(TrialSubject subject, int keys, Func<Trial, VirtualClock, TrialSink> sink)
    {
        (string, int) found = default;
        TrialSubject.Once(async clock =>
        {
            var trial = new Trial(
                subject.Strategy,
                clock,
                trial => [sink(trial, clock)],
                context => context with { MaxConcurrency = subject.Strategy.MaxConcurrencyInForce(context.MaxConcurrency) }
            );
            var end = await trial.LiveAsync([TrialWorkload.Batch(Count, keys: keys)], CancellationToken.None);
            if (trial.Surfaced(end).FirstOrDefault() is { } failure)
            {
                throw new StrategyContractException($"{failure.GetType().Name} without any write that failed: {failure.Message}", failure);
            }

            found = DeliveryChecks.PeakConcurrency(subject.Strategy, trial);
        });
        return found;
    }

    // Blocks its stack while other ready work runs, as other threads would run it, until the most possible writes are in flight.
    private static TrialSink Blocking(Trial trial, int most) =>
        new(
            trial,
            "a",
            (_, _) =>
            {
                VirtualTimeRunner.RunOthers(() => trial.InFlight >= most);
                return Task.CompletedTask;
            }
        );
}
