using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies.Contract.Tests;

/// <summary>A strategy that breaks one part of the contract, the check that must find it out, and words of what it must say.</summary>
internal sealed record BrokenStrategy(string Check, string Message, StrategyDescriptor Strategy);

/// <summary>At least one for each check.</summary>
internal static partial class BrokenStrategies
{
    private static readonly int[] TooShort = new int[9];
    private static readonly StrategyOption Depth = new("depth", 2, 1, 9, "Whatever.");

    public static IReadOnlyList<BrokenStrategy> All { get; } =
    [
        new("is declared with name, sentence and options in range", "the name 'Bad Name' is not", Barrier("Bad Name", InTurn)),
        new(
            "is declared with name, sentence and options in range",
            "option 'depth': its default 2 is not within 3 to 9",
            Barrier("declared-wrong", InTurn) with
            {
                Options = [Depth with { Least = 3 }],
            }
        ),
        new(
            "is declared with name, sentence and options in range",
            "the option 'batch' is named like one that every strategy accepts",
            Barrier("declared-wrong", InTurn) with
            {
                Options = [Depth with { Name = "batch" }],
            }
        ),
        new(
            "works at either end of each option's range",
            "with depth 9: IndexOutOfRangeException",
            Barrier("too-deep", (context, batch, token) => TooShort[context.Options["depth"]] == 0 ? InTurn(context, batch, token) : Task.CompletedTask) with
            {
                Options = [Depth],
            }
        ),
        new(
            "writes every event to every sink once",
            "2 times",
            Barrier(
                "twice",
                async (c, b, t) =>
                {
                    await InTurn(c, b, t);
                    await InTurn(c, b, t);
                }
            )
        ),
        new("writes every event to every sink once", "0 times", Barrier("forgets-a-sink", (c, b, t) => InTurn(c with { Sinks = [.. c.Sinks.Take(1)] }, b, t))),
        new("keeps the order that it declares", "was begun before event", Barrier("no-order", Concurrently) with { Ordering = OrderingGuarantee.Partition }),
        new("keeps the order that it declares", " of 'key ", Barrier("no-key-order", Concurrently) with { Ordering = OrderingGuarantee.Key }),
        new("keeps the order that it declares", " of 'key ", KeysOfOneBatch()),
        new(
            "keeps the order that it declares",
            " of 'key ",
            new StrategyDescriptor("overtakes-retries", "Waits for tries, not for writes.", OrderingGuarantee.Key, context => new OvertakesRetries(context))
        ),
        new("keeps within MaxConcurrency what it declares", "events were in flight", Barrier("no-degree", Concurrently)),
        new(
            "keeps within MaxConcurrency what it declares",
            "operations of a sink were in flight",
            Barrier("no-degree-of-operations", Concurrently) with
            {
                ConcurrencyBounds = ConcurrencyBound.Operations,
            }
        ),
        new(
            "keeps within MaxConcurrency what it declares",
            "it called ReportConcurrency with 0",
            Barrier(
                "tells-nonsense",
                (c, b, t) =>
                {
                    c.ReportConcurrency(0);
                    return InTurn(c, b, t);
                }
            )
        ),
        new("shares no state between its instances", "two partitions were given the same instance", OneForAll()),
        new(
            "takes the same steps from the same seed",
            "draw from the seed of the context only",
            Barrier("gambles", (c, b, t) => InTurn(c, [.. b.OrderBy(_ => Random.Shared.Next())], t))
        ),
        new(
            "takes notices of running writes",
            "NotSupportedException",
            new StrategyDescriptor("deaf", "Hears nothing.", OrderingGuarantee.Partition, context => new Deaf(context))
        ),
        new("returns from a dispatch as it declares", "it declares a barrier, but", StrategyCatalog.Find("pipelined") with { IsBarrier = true }),
        new("returns from a dispatch as it declares", "it declares no barrier, but", StrategyCatalog.Find("outloop") with { IsBarrier = false }),
        new(
            "finishes what it has without being given more",
            "event 0 was written to sink0 0 times",
            new StrategyDescriptor("hoards", "Writes at its end.", OrderingGuarantee.Partition, context => new Hoards(context), IsBarrier: false)
        ),
        new(
            "continues after a pause",
            "Stuck at 01:00:00",
            new StrategyDescriptor("tires", "Frees no place.", OrderingGuarantee.None, context => new Tires(context), IsBarrier: false)
        ),
        new("drains all that is in flight", "the drain ended with", ContinuesAcrossBatches("forgets-to-drain", Concurrently)),
        new(
            "ends immediately without sinks",
            "it took 1000 ms",
            Barrier(
                "lingers",
                async (c, b, t) =>
                {
                    await Task.Delay(TimeSpan.FromSeconds(1), c.TimeProvider, t);
                    await InTurn(c, b, t);
                }
            )
        ),
        new("stays on the scheduler of its caller", "", Barrier("elsewhere", (c, b, t) => Task.Run(() => InTurn(c, b, t), t))),
        new(
            "works on the thread pool",
            "not one of each of 1000",
            Barrier("virtual-only", (c, b, t) => TaskScheduler.Current == TaskScheduler.Default ? Task.CompletedTask : InTurn(c, b, t))
        ),
        new(
            "has the same concurrency when its sinks block",
            "1 events were in flight with a sink that blocks its thread, 40 with one that waits asynchronously",
            Barrier("begins-on-one-stack", Concurrently)
        ),
        new("lets the failure of a write surface", "neither a dispatch, nor the drain, nor ReportFailure reported it", Barrier("swallows", Swallowing)),
        new("reports several concurrent failures", "neither a dispatch", Barrier("swallows", Swallowing)),
        new(
            "takes a write that its sink cancelled for a failure",
            "the strategy did not report it",
            Barrier("takes-cancellation-for-success", (c, b, t) => Swallowing<OperationCanceledException>(c, b, t))
        ),
        new(
            "finishes started writes when a write fails, and starts no other",
            "it continued to the last of 40 events",
            Barrier("goes-on-after-failures", ReportingAtTheEnd)
        ),
        new(
            "finishes started writes when a write fails, and starts no other",
            "was cut because another one failed",
            Barrier("cuts-the-others", CuttingTheOthers)
        ),
        new("reports a failure immediately while no event arrives", "it was not reported", ReportsLate()),
        new("lets a failure surface that comes while it drains", "neither a dispatch", DrainsSilently()),
        new(
            "ends its drain after a failure",
            "Stuck",
            ContinuesAcrossBatches(
                "waits-for-all",
                (c, b, t) => Task.WhenAll(GetWrites(c, b, t)),
                async (c, t) => await new TaskCompletionSource().Task.WaitAsync(t)
            )
        ),
        new("cuts its writes when it is cancelled", "after the cancellation", Barrier("keeps-the-token", (c, b, _) => InTurn(c, b, default))),
        new(
            "starts no write after its cancellation, even if the sinks ignore it",
            "was begun after the cancellation",
            Barrier("trusts-its-sinks", TrustingItsSinks)
        ),
        new("starts no write when it was cancelled before", "it began 10 writes", Barrier("keeps-the-token", (c, b, _) => InTurn(c, b, default))),
        new(
            "may be disposed of twice, and without having done anything",
            "ObjectDisposedException",
            new StrategyDescriptor("once", "Ends once.", OrderingGuarantee.Partition, context => new EndsOnce(context))
        ),
        new(
            "leaves no work after its end",
            " timers were still set",
            Barrier(
                "leaves-a-timer",
                (c, b, t) =>
                {
                    c.TimeProvider.CreateTimer(static _ => { }, null, TimeSpan.FromMinutes(1), Timeout.InfiniteTimeSpan);
                    return InTurn(c, b, t);
                }
            )
        ),
        new(
            "leaves no work after its end",
            "entries of the shared limit",
            Barrier(
                "never-leaves",
                async (c, b, t) =>
                {
                    await c.Limit.EnterAsync(t);
                    await InTurn(c, b, t);
                }
            )
        ),
    ];

    private static StrategyDescriptor Barrier(string name, Func<StrategyContext, IReadOnlyList<EventSlot>, CancellationToken, Task> dispatch) =>
        new(name, "Is broken.", OrderingGuarantee.None, context => new Loop(context, dispatch));

    private static StrategyDescriptor ContinuesAcrossBatches(
        string name,
        Func<StrategyContext, IReadOnlyList<EventSlot>, CancellationToken, Task> work,
        Func<StrategyContext, CancellationToken, Task>? drain = null
    ) => new(name, "Is broken.", OrderingGuarantee.None, context => new Loop(context, Begin(work), drain), IsBarrier: false);

    // The outcome of the work is never reported.
    private static Func<StrategyContext, IReadOnlyList<EventSlot>, CancellationToken, Task> Begin(
        Func<StrategyContext, IReadOnlyList<EventSlot>, CancellationToken, Task> work
    ) =>
        (context, batch, cancellationToken) =>
        {
            _ = work(context, batch, cancellationToken);
            return Task.CompletedTask;
        };

    private static StrategyDescriptor ReportsLate()
    {
        var running = Task.CompletedTask;
        return ContinuesAcrossBatches("tells-late", (c, b, t) => running = InTurn(c, b, t), (_, _) => running);
    }

    private static StrategyDescriptor DrainsSilently()
    {
        var running = Task.CompletedTask;
        return ContinuesAcrossBatches("drains-silently", (c, b, t) => running = Concurrently(c, b, t), (_, _) => Task.WhenAny(running));
    }

    private static StrategyDescriptor OneForAll()
    {
        IProcessingStrategy? only = null;
        return new("one-for-all", "Is broken.", OrderingGuarantee.Partition, context => only ??= new Loop(context, InTurn));
    }

    // Order of keys within a batch, and none from one batch to the next.
    private static StrategyDescriptor KeysOfOneBatch()
    {
        var running = new List<Task>();
        return ContinuesAcrossBatches(
            "keys-of-one-batch",
            (c, b, t) =>
            {
                running.RemoveAll(task => task.IsCompleted);
                var writing = Task.WhenAll(b.GroupBy(one => one.Key).Select(key => InTurn(c, [.. key], t)).ToList());
                running.Add(writing);
                return writing;
            },
            (_, _) => Task.WhenAll(running)
        ) with
        {
            Ordering = OrderingGuarantee.Key,
        };
    }

    private static async Task InTurn(StrategyContext context, IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch)
        {
            foreach (var sink in context.Sinks)
            {
                cancellationToken.ThrowIfCancellationRequested();
                await sink.WriteAsync(receivedEvent, cancellationToken);
            }
        }
    }

    private static async Task TrustingItsSinks(StrategyContext context, IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch)
        {
            cancellationToken.ThrowIfCancellationRequested();
            foreach (var sink in context.Sinks)
            {
                await sink.WriteAsync(receivedEvent, cancellationToken);
            }
        }
    }

    private static IEnumerable<Task> GetWrites(StrategyContext context, IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
        from receivedEvent in batch
        from sink in context.Sinks
        select sink.WriteAsync(receivedEvent, cancellationToken).AsTask();

    private static Task Concurrently(StrategyContext context, IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
        Task.WhenAll(GetWrites(context, batch, cancellationToken).ToList());

    private static Task Swallowing(StrategyContext context, IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
        Swallowing<Exception>(context, batch, cancellationToken);

    private static async Task Swallowing<TException>(StrategyContext context, IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        where TException : Exception
    {
        foreach (var receivedEvent in batch)
        {
            foreach (var sink in context.Sinks)
            {
                try
                {
                    await sink.WriteAsync(receivedEvent, cancellationToken);
                }
                catch (TException)
                {
                    // The mistake.
                }
            }
        }
    }

    private static async Task ReportingAtTheEnd(StrategyContext context, IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        Exception? first = null;
        foreach (var receivedEvent in batch)
        {
            try
            {
                await InTurn(context, [receivedEvent], cancellationToken);
            }
            catch (Exception failure)
            {
                first ??= failure;
            }
        }

        if (first is not null)
        {
            throw first;
        }
    }

    private static Task CuttingTheOthers(StrategyContext context, IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = context.MaxConcurrency,
            TaskScheduler = TaskScheduler.Current,
            CancellationToken = cancellationToken,
        };

        // The loop's own token, which it cancels when one of its events fails.
        return Parallel.ForEachAsync(batch, options, async (receivedEvent, cut) => await InTurn(context, [receivedEvent], cut));
    }
}
