using EventHubThroughput.Strategies.Contract.Trials;

namespace EventHubThroughput.Strategies.Contract.Checks;

/// <summary>What is written, in what order and with what concurrency, under any schedule.</summary>
internal static class DeliveryChecks
{
    public static IReadOnlyList<StrategyCheck> All { get; } =
    [
        new("writes every event to every sink once", WritesEachOnce),
        new("keeps the order that it declares", KeepsItsOrder),
        new("keeps within MaxConcurrency what it declares", KeepsWithinMaxConcurrency),
        new("shares no state between its instances", SharesNothing),
        new("takes the same steps from the same seed", RepeatsItself),
        new("takes notices of running writes", TakesNotices),
    ];

    public static void ExpectEachOnce(TrialWorkload workload, Trial trial)
    {
        foreach (var sink in Enumerable.Range(0, workload.Sinks).Select(place => $"sink{place}"))
        {
            var written = trial
                .Log.Where(write => write.Sink == sink)
                .GroupBy(write => write.Sequence)
                .ToDictionary(event_ => event_.Key, event_ => event_.Count());
            foreach (var sequence in workload.Events.Select(receivedEvent => receivedEvent.SequenceNumber))
            {
                if (written.Remove(sequence, out var times) ? times != 1 : times == 0)
                {
                    throw new StrategyContractException($"event {sequence} was written to {sink} {times} times");
                }
            }

            if (written.Count > 0)
            {
                throw new StrategyContractException($"event {written.Keys.First()} was written to {sink}, but never handed over");
            }
        }

        if (trial.Log.FirstOrDefault(write => !write.Acknowledged) is { } open)
        {
            throw new StrategyContractException($"the write of event {open.Sequence} to {open.Sink} had not finished when the strategy had drained");
        }
    }

    private static void WritesEachOnce(TrialSubject subject) =>
        subject.Explore(async chance =>
        {
            var workload = new TrialWorkload(subject.Strategy, chance);
            ExpectEachOnce(workload, await workload.LiveAsync(subject.Strategy));
        });

    // The events of a key are written one after another, and so are those of a partition. Events without a key have no order. A failed try does not end a
    // write: events that must follow wait for its retries too.
    private static void KeepsItsOrder(TrialSubject subject) =>
        subject.Explore(async chance =>
        {
            var trial = await LiveNoticedAsync(subject, chance, new TrialWorkload(subject.Strategy, chance));
            foreach (var ordered in InOrder(subject.Strategy.Ordering, trial.Log))
            {
                var events = ordered.GroupBy(write => write.Sequence).OrderBy(writes => writes.Key).ToList();
                foreach (var (earlier, later) in events.Zip(events.Skip(1)))
                {
                    if (later.Min(write => write.BegunStep) < earlier.Max(write => write.EndedStep ?? long.MaxValue))
                    {
                        var of = subject.Strategy.Ordering == OrderingGuarantee.Key ? $" of '{ordered.Key}'" : "";
                        throw new StrategyContractException($"event {later.Key}{of} was begun before event {earlier.Key} was written");
                    }
                }
            }
        });

    private static void KeepsWithinMaxConcurrency(TrialSubject subject) =>
        subject.Explore(async chance =>
        {
            var workload = new TrialWorkload(subject.Strategy, chance);
            var trial = await workload.LiveAsync(subject.Strategy);
            ExpectEachOnce(workload, trial);
            ExpectWithin(subject.Strategy, trial);
            if (trial.Reports.FirstOrDefault(reported => reported < 1 || reported > workload.MaxConcurrency, defaultValue: 1) is var wrong and not 1)
            {
                throw new StrategyContractException($"it called ReportConcurrency with {wrong}, which is not within 1 to {workload.MaxConcurrency}");
            }
        });

    /// <summary>Fails if the concurrency exceeds the limit of the trial's context.</summary>
    public static void ExpectWithin(StrategyDescriptor strategy, Trial trial)
    {
        var (what, most) = PeakConcurrency(strategy, trial);
        if (most > trial.Context.MaxConcurrency)
        {
            throw new StrategyContractException($"{most} {what}, MaxConcurrency is {trial.Context.MaxConcurrency}");
        }
    }

    /// <summary>The highest observed value of what the strategy keeps within MaxConcurrency, and its name.</summary>
    public static (string What, int Most) PeakConcurrency(StrategyDescriptor strategy, Trial trial) =>
        strategy.ConcurrencyBounds switch
        {
            ConcurrencyBound.Events => ("events were in flight", PeakConcurrency(trial.Log.GroupBy(write => write.Sequence))),
            _ => (
                "operations of a sink were in flight",
                trial.Log.GroupBy(write => write.Sink).Select(ofSink => PeakConcurrency(ofSink.GroupBy(write => write.Operation))).DefaultIfEmpty().Max()
            ),
        };

    // The overlap of groups of writes, each from its first begin to its last end.
    private static int PeakConcurrency(IEnumerable<IGrouping<long, RecordedWrite>> all)
    {
        var lives = all.Select(writes => (Begun: writes.Min(write => write.BegunStep), Ended: writes.Max(write => write.EndedStep ?? long.MaxValue))).ToList();
        return lives.Select(one => lives.Count(other => other.Begun <= one.Begun && one.Begun < other.Ended)).DefaultIfEmpty().Max();
    }

    private static void SharesNothing(TrialSubject subject) =>
        subject.Explore(async chance =>
        {
            var workloads = new[] { new TrialWorkload(subject.Strategy, chance), new TrialWorkload(subject.Strategy, chance) };
            var trials = workloads.Select(workload => workload.Open(subject.Strategy, chance.Clock)).ToList();
            if (ReferenceEquals(trials[0].Strategy, trials[1].Strategy))
            {
                throw new StrategyContractException("two partitions were given the same instance");
            }

            await Task.WhenAll(trials.Zip(workloads, static (trial, workload) => workload.LiveAsync(trial)));
            ExpectEachOnce(workloads[0], trials[0]);
            ExpectEachOnce(workloads[1], trials[1]);
        });

    private static void RepeatsItself(TrialSubject subject)
    {
        foreach (var seed in subject.Seeds)
        {
            if (!Steps(subject, seed).SequenceEqual(Steps(subject, seed)))
            {
                throw new StrategyContractException($"seed {seed} took other steps the second time: draw from the seed of the context only");
            }
        }
    }

    private static List<(string Sink, long Sequence, TimeSpan Begun)> Steps(TrialSubject subject, int seed)
    {
        Trial? trial = null;
        TrialSubject.Once(async clock => trial = await new TrialWorkload(subject.Strategy, new Chance(seed, clock)).LiveAsync(subject.Strategy), seed);
        return [.. trial!.Log.Select(write => (write.Sink, write.Sequence, write.Begun))];
    }

    private static void TakesNotices(TrialSubject subject) =>
        subject.Explore(async chance =>
        {
            var workload = new TrialWorkload(subject.Strategy, chance);
            ExpectEachOnce(workload, await LiveNoticedAsync(subject, chance, workload));
        });

    // A life in which a strategy that watches its writes receives notices of failed tries. Any failure is thrown.
    private static async Task<Trial> LiveNoticedAsync(TrialSubject subject, Chance chance, TrialWorkload workload)
    {
        var trial = workload.Open(subject.Strategy, chance.Clock);
        var lives = true;
        var noticing = trial.Strategy is IWriteWatcher watcher ? NoticeAsync(watcher, trial, chance, () => lives) : Task.CompletedTask;
        var end = await trial.LiveAsync(workload.Batches, CancellationToken.None);
        lives = false;
        await noticing;
        if (trial.Surfaced(end).FirstOrDefault() is { } failure)
        {
            throw new StrategyContractException($"{failure.GetType().Name} without any write that failed: {failure.Message}", failure);
        }

        return trial;
    }

    // Longer than any life, so that a life that never ends is detected too.
    private static async Task NoticeAsync(IWriteWatcher watcher, Trial trial, Chance chance, Func<bool> lives)
    {
        while (lives() && chance.Clock.Elapsed < TimeSpan.FromMinutes(1))
        {
            foreach (var write in trial.Log.Where(write => write.EndedStep is null).ToList())
            {
                var place = write.Sink[^1] - '0';
                var notice = new WriteNotice(place, write.Sequence, chance.Between(1, 5), chance.Between(0, 1) == 1, chance.Clock.Elapsed - write.Begun);
                try
                {
                    watcher.Noticed(notice);
                }
                catch (Exception failure)
                {
                    throw new StrategyContractException($"Noticed threw {failure.GetType().Name}: {failure.Message}", failure);
                }
            }

            await chance.Clock.DelayAsync(TimeSpan.FromMilliseconds(3), CancellationToken.None);
        }
    }

    private static IEnumerable<IGrouping<string, RecordedWrite>> InOrder(OrderingGuarantee ordering, IEnumerable<RecordedWrite> log) =>
        ordering switch
        {
            OrderingGuarantee.Partition => log.GroupBy(_ => ""),
            OrderingGuarantee.Key => log.Where(write => write.Key is not null).GroupBy(write => write.Key!),
            _ => [],
        };
}
