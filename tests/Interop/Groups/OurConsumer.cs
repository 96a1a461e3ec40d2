using System.Collections.Concurrent;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Interop;

/// <summary>Our processor, which stores a checkpoint after each batch and then reports the events.</summary>
internal sealed class OurConsumer : IAsyncDisposable
{
    private readonly CancellationTokenSource stop = new();
    private readonly ConcurrentDictionary<string, Checkpoint?> startedFrom = new(StringComparer.Ordinal);
    private readonly Action<Sighting> report;
    private readonly Task running;

    private OurConsumer(IMessagingClients clients, string name, Action<Sighting> report)
    {
        this.report = report;
        var options = new EventHubProcessorOptions
        {
            Identifier = name,
            BalancingInterval = TimeSpan.FromMilliseconds(500),
            OwnershipExpiry = TimeSpan.FromSeconds(4),
        };
        running = clients.CreateProcessor(options, partition => new Handler(partition, this)).RunAsync(stop.Token);
    }

    /// <summary>By partition: the checkpoint that reading started from last.</summary>
    public IReadOnlyDictionary<string, Checkpoint?> StartedFrom => startedFrom;

    /// <summary>What has ended the processor before it was stopped.</summary>
    public IEnumerable<string> Errors() => running.Exception is { } failure ? [failure.ToString()] : [];

    public static OurConsumer Start(IMessagingClients clients, string name, Action<Sighting> report) => new(clients, name, report);

    /// <summary>Stops the processor, which gives its partitions up, and throws what has ended it before.</summary>
    public async Task StopAsync(TimeSpan patience)
    {
        await stop.CancelAsync();
        await running.WaitAsync(patience);
    }

    public async ValueTask DisposeAsync()
    {
        await stop.CancelAsync();
        await running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        stop.Dispose();
    }

    private sealed class Handler : IPartitionHandler
    {
        private readonly IOwnedPartition partition;
        private readonly OurConsumer consumer;

        public Handler(IOwnedPartition partition, OurConsumer consumer)
        {
            (this.partition, this.consumer) = (partition, consumer);
            consumer.startedFrom[partition.PartitionId] = partition.StartedFrom;
        }

        public async Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
        {
            if (batch.Events.Count == 0)
            {
                return;
            }

            await partition.CheckpointAsync(new EventPosition(batch.Events[^1].SequenceNumber, batch.Events[^1].Offset), cancellationToken);
            foreach (var one in batch.Events)
            {
                consumer.report(new Sighting(one.PartitionId, one.SequenceNumber, IsOurs: true));
            }
        }

        public Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
