using EventHubThroughput.Strategies.Contract.Trials;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Contract.Checks;

/// <summary>What a strategy does when a sink fails for good: it lets the failure pass, and leaves nothing in flight.</summary>
internal static class FailureChecks
{
    private const int Count = 40;
    private const long Bad = 5;
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(10);

    public static IReadOnlyList<StrategyCheck> All { get; } =
    [
        new("lets the failure of a write surface", LetsItSurface),
        new("reports several concurrent failures", LetsSeveralSurface),
        new("takes a write that its sink cancelled for a failure", TakesCancellationForFailure),
        new("finishes started writes when a write fails, and starts no other", FinishesAndBeginsNoMore),
        new("reports a failure immediately while no event arrives", ReportsWhileIdle),
        new("lets a failure surface that comes while it drains", LetsItSurfaceWhileDraining),
        new("ends its drain after a failure", EndsItsDrain),
    ];

    private static void LetsItSurface(TrialSubject subject) =>
        subject.Explore(async chance =>
        {
            // Immediately, as some sinks fail, or a while later.
            var latency = chance.Between(0, 1) * Latency;
            var failure = SinkFailure();
            var trial = new Trial(
                subject.Strategy,
                chance.Clock,
                trial => [Trial.Taking(trial, "good", 3 * Latency), Failing(trial, chance.Clock, latency, failure)]
            );
            Expect(trial, await trial.LiveAsync([TrialWorkload.Batch(Count, keys: chance.Between(0, 5))], CancellationToken.None), failure);
        });

    private static void LetsSeveralSurface(TrialSubject subject) =>
        subject.Explore(async chance =>
        {
            var trial = new Trial(subject.Strategy, chance.Clock, trial => [Bad("a", trial), Bad("b", trial)]);
            var end = await trial.LiveAsync([TrialWorkload.Batch(10)], CancellationToken.None);
            Expect(trial, end, failure: null);
            if (end.LeftInFlight > 0 || trial.Log.Any(write => write.Acknowledged))
            {
                throw new StrategyContractException($"the drain ended with {end.LeftInFlight} writes in flight");
            }

            TrialSink Bad(string name, Trial trial) =>
                new(
                    trial,
                    name,
                    async (_, cancellationToken) =>
                    {
                        await chance.Clock.DelayAsync(Latency, cancellationToken);
                        throw SinkFailure();
                    }
                );
        });

    private static void TakesCancellationForFailure(TrialSubject subject) =>
        TrialSubject.Once(async clock =>
        {
            var failure = new OperationCanceledException("the sink's own time-out");
            var trial = new Trial(subject.Strategy, clock, trial => [Failing(trial, clock, Latency, failure)]);
            var end = await trial.LiveAsync([TrialWorkload.Batch(10)], CancellationToken.None);
            if (!trial.Surfaced(end).OfType<OperationCanceledException>().Any())
            {
                throw new StrategyContractException("a sink cancelled a write without a request, and the strategy did not report it");
            }
        });

    private static void FinishesAndBeginsNoMore(TrialSubject subject) =>
        subject.Explore(async chance =>
        {
            var trial = new Trial(
                subject.Strategy,
                chance.Clock,
                trial => [Trial.Taking(trial, "good", 3 * Latency), Failing(trial, chance.Clock, Latency, SinkFailure())]
            );
            var end = await trial.LiveAsync([TrialWorkload.Batch(Count, keys: 3)], CancellationToken.None);
            if (end.LeftInFlight > 0)
            {
                throw new StrategyContractException($"{end.LeftInFlight} writes were in flight when it had drained after a failure");
            }

            ExpectFailedWrite(trial);
            var failed = trial.Log.Single(write => !write.Acknowledged && write is { Sink: "bad", Sequence: Bad });
            if (trial.Log.FirstOrDefault(write => !write.Acknowledged && write != failed) is { } cut)
            {
                throw new StrategyContractException($"the write of event {cut.Sequence} to {cut.Sink} was cut because another one failed");
            }

            var later = trial.Log.Where(write => write.Sequence > Bad && write.BegunStep > failed.EndedStep).ToList();
            var dependent = subject.Strategy.Ordering switch
            {
                OrderingGuarantee.Partition => later.FirstOrDefault(),
                OrderingGuarantee.Key => later.Find(write => write.Key == failed.Key),
                _ => null,
            };
            if (dependent is not null)
            {
                throw new StrategyContractException($"event {dependent.Sequence} was begun after event {Bad}, which it must follow, had failed");
            }

            if (trial.Log.Any(write => write.Sequence == Count - 1 && write.BegunStep > failed.EndedStep))
            {
                throw new StrategyContractException($"it continued to the last of {Count} events after event {Bad} had failed");
            }
        });

    // No later dispatch could throw it.
    private static void ReportsWhileIdle(TrialSubject subject) =>
        TrialSubject.Once(async clock =>
        {
            var failure = SinkFailure();
            var late = 100 * Latency;
            var trial = new Trial(subject.Strategy, clock, trial => [Failing(trial, clock, late, failure, at: 0)]);
            try
            {
                await trial.DispatchAsync(TrialWorkload.Batch(1), CancellationToken.None);
                await clock.DelayAsync(10 * late, CancellationToken.None);
                var ended = trial.Log.SingleOrDefault()?.Ended;
                if (!trial.Reported.Any(one => one.At == ended))
                {
                    throw new StrategyContractException(
                        $"a write of the background failed, and {(trial.Reported.Count == 0 ? "it was not reported" : "it was reported late")}: call ReportFailure of the context"
                    );
                }
            }
            catch (IOException thrown) when (thrown == failure && trial.Log.Any(write => write.Ended == clock.Elapsed))
            {
                // The dispatch itself threw it, as that of a barrier does.
            }

            await trial.LiveAsync([], CancellationToken.None);
        });

    private static void LetsItSurfaceWhileDraining(TrialSubject subject) =>
        TrialSubject.Once(async clock =>
        {
            var failure = SinkFailure();
            var trial = new Trial(
                subject.Strategy,
                clock,
                trial => [Trial.Taking(trial, "good", 30 * Latency), Failing(trial, clock, 10 * Latency, failure, at: 2)]
            );
            var end = await trial.LiveAsync([TrialWorkload.Batch(3)], CancellationToken.None);
            Expect(trial, end, failure);
            if (end.LeftInFlight > 0)
            {
                throw new StrategyContractException($"a write failed while it drained, and the drain ended with {end.LeftInFlight} others in flight");
            }
        });

    private static void EndsItsDrain(TrialSubject subject) =>
        TrialSubject.Once(async clock =>
        {
            var trial = new Trial(subject.Strategy, clock, trial => [new TrialSink(trial, "bad", (_, _) => throw SinkFailure())]);
            var end = await trial.LiveAsync([TrialWorkload.Batch(10)], CancellationToken.None);
            if (end.Drained > TimeSpan.Zero)
            {
                throw new StrategyContractException($"without events in flight after a failure its drain took {end.Drained.TotalMilliseconds} ms");
            }
        });

    // A type that no strategy throws itself.
    private static IOException SinkFailure() => new("the sink has failed for good");

    private static TrialSink Failing(Trial trial, VirtualClock clock, TimeSpan after, Exception failure, long at = Bad) =>
        new(
            trial,
            "bad",
            (written, cancellationToken) =>
                written.SequenceNumber != at ? clock.DelayAsync(Latency, cancellationToken)
                : after == TimeSpan.Zero ? throw failure
                : FailAsync(clock, after, failure, cancellationToken),
            largestBatch: 3
        );

    private static async Task FailAsync(VirtualClock clock, TimeSpan after, Exception failure, CancellationToken cancellationToken)
    {
        await clock.DelayAsync(after, cancellationToken);
        throw failure;
    }

    // If the write that should fail never began, every other message would be wrong.
    private static void ExpectFailedWrite(Trial trial)
    {
        if (trial.Log.All(static write => write.Ended is not null && write.Acknowledged))
        {
            throw new StrategyContractException("the event whose write fails was not written to every sink");
        }
    }

    private static void Expect(Trial trial, TrialEnd end, IOException? failure)
    {
        ExpectFailedWrite(trial);
        var surfaced = trial.Surfaced(end).ToList();
        if (!surfaced.Any(one => failure is null ? one is IOException : one == failure))
        {
            throw new StrategyContractException(
                surfaced.Count == 0
                    ? "a write failed, and neither a dispatch, nor the drain, nor ReportFailure reported it"
                    : $"a write failed, and what surfaced is another failure: {surfaced[0].GetType().Name}: {surfaced[0].Message}"
            );
        }
    }
}
