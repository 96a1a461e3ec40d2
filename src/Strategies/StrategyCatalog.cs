namespace EventHubThroughput.Strategies;

/// <summary>The strategies that the program offers, in the order in which they are compared and listed.</summary>
public static class StrategyCatalog
{
    /// <summary>All strategies. Ratios refer to the first. A new strategy is one line here.</summary>
    public static IReadOnlyList<StrategyDescriptor> All { get; } =
    [
        new("baseline", "Events in turn, sinks in turn.", OrderingGuarantee.Partition, context => new BaselineStrategy(context)),
        new("inloop", "Events in turn, sinks concurrently.", OrderingGuarantee.Partition, context => new InnerLoopStrategy(context)),
        new("outloop", "Events concurrently (up to the degree), sinks in turn.", OrderingGuarantee.None, context => new OuterLoopStrategy(context)),
        new("combined", "Events concurrently (up to the degree), sinks concurrently.", OrderingGuarantee.None, context => new CombinedStrategy(context)),
        new("foreachasync", "As combined, both loops by Parallel.ForEachAsync.", OrderingGuarantee.None, context => new ForEachAsyncStrategy(context)),
        new(
            "pipelined",
            "Events concurrently (up to the degree), sinks concurrently, across batches.",
            OrderingGuarantee.None,
            context => new PipelinedStrategy(context),
            IsBarrier: false
        ),
        new(
            "keyed",
            "Events of one key in turn, keys concurrently (up to the degree), sinks concurrently, across batches.",
            OrderingGuarantee.Key,
            context => new KeyedStrategy(context),
            IsBarrier: false
        ),
        new(
            "keyed-shards",
            "Keys hashed to one shard per degree, events of a shard in turn, sinks concurrently, across batches.",
            OrderingGuarantee.Key,
            context => new KeyedShardsStrategy(context),
            IsBarrier: false
        ),
        new(
            "batched",
            "As pipelined, each sink separately. Waiting events share one operation at a sink that takes several.",
            OrderingGuarantee.None,
            context => new BatchedStrategy(context),
            IsBarrier: false
        )
        {
            ConcurrencyBounds = ConcurrencyBound.Operations,
            Options = [BatchedStrategy.Linger],
        },
        new(
            "adaptive",
            "As pipelined, with a concurrency that adapts during the run, up to the degree.",
            OrderingGuarantee.None,
            context => new AdaptiveStrategy(context),
            IsBarrier: false
        ),
        new(
            "whenall",
            "All events of a batch concurrently, sinks concurrently, by Task.WhenAll without a limit.",
            OrderingGuarantee.None,
            context => new WhenAllStrategy(context)
        )
        {
            Unsafe = new UnsafePractice("A write that fails is not tried again, and the checkpoint at the end of its batch passes the event."),
        },
        new(
            "published",
            "The article's loop as printed: events concurrently up to the loop's own degree (processors - 1), sinks concurrently.",
            OrderingGuarantee.None,
            context => new PublishedStrategy(context)
        )
        {
            Unsafe = new UnsafePractice("A write that fails is not tried again, and the checkpoint at the end of its batch passes the event."),
        },
        new(
            "functions",
            "An Azure Functions trigger with its template's loop: one batch at a time, events in turn, sinks in turn.",
            OrderingGuarantee.Partition,
            context => new FunctionsStrategy(context)
        )
        {
            Options =
            [
                new("min-batch", 1, 1, 10_000, "Minimum events of a batch, unless the wait has ended"),
                new("max-wait-ms", 60_000, 1, 3_600_000, "Maximum milliseconds that events wait for that number"),
                new("checkpoint-batches", 1, 1, 1000, "Checkpoint after N batches"),
            ],
            Unsafe = new UnsafePractice("The checkpoint of a batch passes every event of it, also where the function failed.")
            {
                CheckpointFrequencyOption = "checkpoint-batches",
                LeastBatchOption = "min-batch",
                LongestWaitOption = "max-wait-ms",
            },
        },
    ];

    /// <summary>Those that lose no events, in the same order. These are compared, recommended and tested.</summary>
    public static IReadOnlyList<StrategyDescriptor> Safe { get; } = [.. All.Where(static strategy => !strategy.IsUnsafe)];

    /// <summary>Names of strategies that only a build with the official packages has. It adds them to these.</summary>
    public static IReadOnlyList<string> OfOfficialPackages { get; } = ["outloop-dasync", "combined-dasync"];

    /// <summary>The names of all strategies, in order.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. All.Select(descriptor => descriptor.Name)];

    /// <summary>The strategy of a name.</summary>
    /// <exception cref="ArgumentException">No strategy has this name. The message lists the existing names, or names the build that has it.</exception>
    public static StrategyDescriptor Find(string name) =>
        All.FirstOrDefault(descriptor => descriptor.Name == name)
        ?? throw new ArgumentException($"'{name}': {WhyNot(name)}. Known: {string.Join(", ", Names)}", nameof(name));

    private static string WhyNot(string name) =>
        OfOfficialPackages.Contains(name, StringComparer.Ordinal) ? "needs a build with -p:OfficialPackages=true" : "unknown";
}
