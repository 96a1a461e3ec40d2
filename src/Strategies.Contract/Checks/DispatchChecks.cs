using System.Collections.Concurrent;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies.Contract.Trials;

namespace EventHubThroughput.Strategies.Contract.Checks;

/// <summary>When a dispatch and a drain return, and on which threads the strategy works.</summary>
internal static class DispatchChecks
{
    private const int ManyEvents = 1_000;
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan Ages = TimeSpan.FromHours(1);

    public static IReadOnlyList<StrategyCheck> All { get; } =
    [
        new("returns from a dispatch as it declares", ReturnsAsDeclared),
        new("finishes what it has without being given more", FinishesWithoutMore),
        new("continues after a pause", ContinuesAfterPause),
        new("drains all that is in flight", Drains),
        new("ends immediately without sinks", EndsWithoutSinks),
        new("stays on the scheduler of its caller", StaysOnItsScheduler),
        new("works on the thread pool", WorksOnTheThreadPool),
    ];

    private static void ReturnsAsDeclared(TrialSubject subject) =>
        TrialSubject.Once(async clock =>
        {
            var trial = new Trial(subject.Strategy, clock, trial => [Trial.Taking(trial, "a", Latency), Trial.Taking(trial, "b", Ages)]);
            for (var first = 0; first < 6; first += 2)
            {
                var batch = TrialWorkload.Batch(subject.Strategy.IsBarrier ? 2 : 1, first);
                await trial.DispatchAsync(batch, CancellationToken.None);
                var writes = trial.Log.Where(write => batch.Any(one => one.SequenceNumber == write.Sequence)).ToList();
                var hasEnded = writes.Count > 0 && writes.TrueForAll(static write => write.Acknowledged);
                var finished = hasEnded && writes.Count >= 2 * batch.Count;
                if (hasEnded && !finished)
                {
                    var lacking = batch.First(one => writes.Count(write => write.Sequence == one.SequenceNumber) < 2).SequenceNumber;
                    throw new StrategyContractException($"event {lacking} was not written to every sink, and no event of its batch is in flight");
                }

                if (finished != subject.Strategy.IsBarrier)
                {
                    throw new StrategyContractException(
                        finished
                            ? "it declares no barrier, but a dispatch of one event returned only when that was written"
                            : $"it declares a barrier, but a dispatch returned before its events were written (batch of {batch.Count})"
                    );
                }

                if (!subject.Strategy.IsBarrier)
                {
                    // One event at a time: whether it waits for an earlier one is the strategy's choice.
                    await clock.DelayAsync(3 * Ages, CancellationToken.None);
                }
            }

            await trial.LiveAsync([], CancellationToken.None);
        });

    // At the end of a backlog no further event would push out an event that a strategy holds back.
    private static void FinishesWithoutMore(TrialSubject subject) => ExpectWritten(subject, TimeSpan.Zero);

    // All that was given is written when the next batch comes. A place that was not freed would be missing then.
    private static void ContinuesAfterPause(TrialSubject subject) => ExpectWritten(subject, Ages);

    private static void ExpectWritten(TrialSubject subject, TimeSpan pause) =>
        subject.Explore(async chance =>
        {
            var workload = new TrialWorkload(subject.Strategy, chance);
            var trial = workload.Open(subject.Strategy, chance.Clock);
            foreach (var batch in workload.Batches)
            {
                await trial.DispatchAsync(batch, CancellationToken.None);
                if (pause > TimeSpan.Zero)
                {
                    await chance.Clock.DelayAsync(pause, CancellationToken.None);
                }
            }

            await chance.Clock.DelayAsync(Ages, CancellationToken.None);
            DeliveryChecks.ExpectEachOnce(workload, trial);
            await trial.LiveAsync([], CancellationToken.None);
        });

    private static void Drains(TrialSubject subject) =>
        subject.Explore(async chance =>
        {
            var workload = new TrialWorkload(subject.Strategy, chance);
            var trial = workload.Open(subject.Strategy, chance.Clock);
            var end = await trial.LiveAsync(workload.Batches, CancellationToken.None);
            var written = trial.Log.Count(write => write.Acknowledged && write.Ended <= end.At);
            if (end.LeftInFlight > 0 || written < workload.Events.Count() * workload.Sinks)
            {
                throw new StrategyContractException(
                    $"the drain ended with {end.LeftInFlight} writes in flight, {written} of {workload.Events.Count() * workload.Sinks} done"
                );
            }
        });

    private static void EndsWithoutSinks(TrialSubject subject)
    {
        var idle = TrialSubject.Once(clock => new Trial(subject.Strategy, clock, _ => []).LiveAsync([], CancellationToken.None));
        var busy = TrialSubject.Once(clock => new Trial(subject.Strategy, clock, _ => []).LiveAsync([TrialWorkload.Batch(20)], CancellationToken.None));
        if (idle + busy > TimeSpan.Zero)
        {
            throw new StrategyContractException($"without a write it took {(idle > busy ? idle : busy).TotalMilliseconds} ms");
        }
    }

    private static void StaysOnItsScheduler(TrialSubject subject) =>
        TrialSubject.Once(async clock =>
        {
            var scheduler = TaskScheduler.Current;
            var thread = Environment.CurrentManagedThreadId;
            var trial = new Trial(
                subject.Strategy,
                clock,
                trial =>
                {
                    var sink = new TrialSink(
                        trial,
                        "a",
                        async (_, cancellationToken) =>
                        {
                            Expect(ReferenceEquals(scheduler, TaskScheduler.Current) && thread == Environment.CurrentManagedThreadId);
                            await clock.DelayAsync(Latency, cancellationToken);
                        }
                    );
                    return [sink, sink];
                }
            );
            var end = await trial.LiveAsync([TrialWorkload.Batch(20), TrialWorkload.Batch(20, first: 20)], CancellationToken.None);
            if (trial.Surfaced(end).FirstOrDefault() is { } failure)
            {
                throw failure;
            }

            static void Expect(bool stayed)
            {
                if (!stayed)
                {
                    throw new StrategyContractException("a write was begun on another scheduler or thread");
                }
            }
        });

    // Only this check runs in real time and on real threads: with sinks that acknowledge immediately, and sinks that continue on other threads.
    private static async Task WorksOnTheThreadPool(TrialSubject subject)
    {
        var sinks = new[] { new PoolSink("a", yields: false), new PoolSink("b", yields: true) };
        var failures = new ConcurrentQueue<Exception>();
        var strategy = subject.Strategy.Create(
            new StrategyContext
            {
                Sinks = sinks,
                MaxConcurrency = subject.Strategy.MaxConcurrencyInForce(8),
                Options = StrategyOptionValues.Of(subject.Strategy.Options),
                ReportFailure = failures.Enqueue,
            }
        );
        await using (strategy)
        {
            await Task.Run(
                    async () =>
                    {
                        for (var first = 0; first < ManyEvents; first += 100)
                        {
                            await strategy.DispatchAsync(TrialWorkload.Batch(100, first, keys: 10), CancellationToken.None);
                        }

                        await strategy.DrainAsync(CancellationToken.None);
                    },
                    subject.Cancellation
                )
                .WaitAsync(subject.Cancellation);
        }

        if (failures.TryDequeue(out var failure))
        {
            throw failure;
        }

        var missing = sinks.FirstOrDefault(sink => !sink.Written.Order().SequenceEqual(Enumerable.Range(0, ManyEvents).Select(number => (long)number)));
        if (missing is not null)
        {
            throw new StrategyContractException(
                $"{missing.Name} was given {missing.Written.Count} writes of {missing.Written.Distinct().Count()} events, not one of each of {ManyEvents}"
            );
        }
    }

    private sealed class PoolSink(string name, bool yields) : ITrackedSink
    {
        public ConcurrentQueue<long> Written { get; } = new();

        public string Name => name;

        public int LargestBatch => yields ? 8 : 1;

        public async ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
        {
            if (yields)
            {
                await Task.Yield();
            }

            Written.Enqueue(receivedEvent.SequenceNumber);
            return new WriteOutcome(TimeSpan.Zero, 1, Throttled: false);
        }

        public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
            await Task.WhenAll(events.Select(receivedEvent => WriteAsync(receivedEvent, cancellationToken).AsTask()));
    }
}
