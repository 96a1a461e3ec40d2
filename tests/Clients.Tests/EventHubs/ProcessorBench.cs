using System.Collections.Concurrent;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Clients.Tests.EventHubs;

/// <summary>A processor in virtual time: its ownerships are in memory, its readers never get an event.</summary>
internal sealed class ProcessorBench
{
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);
    public static readonly TimeSpan Expiry = TimeSpan.FromSeconds(10);
    public const string Self = "self";

    public ProcessorBench(TimeProvider? clock = null) => Store = new MemoryOwnerships(clock ?? Clock);

    public VirtualClock Clock { get; } = new();

    public LogRecorder Log { get; } = new();

    public MemoryOwnerships Store { get; }

    /// <summary>The partitions that are open, by name.</summary>
    public ConcurrentDictionary<string, IOwnedPartition> Open { get; } = new(StringComparer.Ordinal);

    /// <summary>Called when a handler is opened.</summary>
    public Action<string>? OnOpen { get; set; }

    /// <summary>What the closing of a handler waits for.</summary>
    public Func<string, Task> OnClose { get; set; } = static _ => Task.CompletedTask;

    public PartitionRunContext Context(TimeProvider? clock = null) =>
        new(
            Store,
            new EventHubProcessorOptions
            {
                Identifier = Self,
                BalancingInterval = Interval,
                OwnershipExpiry = Expiry,
                TimeProvider = clock ?? Clock,
            },
            partition =>
            {
                Open[partition.PartitionId] = partition;
                OnOpen?.Invoke(partition.PartitionId);
                return new Handler(this, partition);
            },
            static async (_, _, token) =>
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, token);
                throw new InvalidOperationException("Nobody reads here.");
            },
            new DuplicateIdentifierDetector(Self, null),
            Log.CreateLogger("processor")
        );

    public BuiltInEventHubProcessor Processor(int partitions) =>
        new(Context(), _ => Task.FromResult<IReadOnlyList<string>>([.. Enumerable.Range(0, partitions).Select(static index => $"{index}")]), new Random(1));

    private sealed class Handler(ProcessorBench bench, IOwnedPartition partition) : IPartitionHandler
    {
        public Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken) => Task.CompletedTask;

        public async Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken)
        {
            bench.Open.TryRemove(partition.PartitionId, out _);
            await bench.OnClose(partition.PartitionId);
        }
    }
}
