using System.Globalization;
using System.Text.Json;
using System.Threading.Channels;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.CommandLine.Processes;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>
/// The official JavaScript consumer and our processor in one consumer group at the same time: each sees the other's ownerships, goes on from its checkpoints, and takes all
/// when it has gone.
/// </summary>
public sealed class SharedGroupTests
{
    private const int Partitions = 4;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Theirs_and_ours_share_the_partitions_and_take_over_from_each_other()
    {
        var cancelled = TestContext.Current.CancellationToken;
        var node = Peers.RequireNode("@azure/event-hubs", "@azure/storage-blob", "@azure/eventhubs-checkpointstore-blob");
        var entities = EntitySet.Default with { Hubs = [new HubSettings("hub") { Partitions = Partitions }] };
        await using var emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = entities }, cancelled);
        var settings = MessagingSettings.FromEnvironment(emulator.Settings.GetValueOrDefault, SettingsScope.Consumer).Require();
        await using var clients = new BuiltInClients(settings, new BuiltInClientOptions { Seed = 1 });
        await using var group = new Group(clients);

        await using var theirs = Theirs.Start(node, emulator, group);
        await group.ReachesAsync(ours: 0, cancelled);
        var first = Ours.Start(clients, "first", group);
        await group.ReachesAsync(ours: 2, cancelled);
        await first.StopAsync();
        await group.ReachesAsync(ours: 0, cancelled);
        var second = Ours.Start(clients, "second", group);
        await group.ReachesAsync(ours: 2, cancelled);
        await theirs.StopAsync(cancelled);
        await group.ReachesAsync(ours: Partitions, cancelled);
        await second.StopAsync();

        Assert.Empty(group.Missing);
        // What is taken from a living owner may come again: whatever is under way behind its last checkpoint, here one event.
        Assert.InRange(group.Repeated, 0, 4 * Partitions);
        var ownerships = await clients.CheckpointStore.ListOwnershipsAsync(cancelled);
        Assert.Equal(Partitions, ownerships.Count);
        Assert.All(ownerships, static ownership => Assert.Equal("", ownership.OwnerId));
    }

    private sealed record Sighting(string Partition, long Sequence, bool IsOurs);

    // Sends an event to each partition at a time, and waits for all of them.
    private sealed class Group(BuiltInClients clients) : IAsyncDisposable
    {
        private readonly Channel<Sighting> sightings = Channel.CreateUnbounded<Sighting>();
        private readonly Dictionary<(string, long), int> seen = [];
        private readonly Dictionary<string, bool> isOurs = new(StringComparer.Ordinal);
        private readonly IEventHubWriter writer = clients.CreateEventHubWriter();
        private long sent;

        public IEnumerable<(string, long)> Missing =>
            from partition in Names
            from sequence in Enumerable.Range(0, (int)sent)
            where !seen.ContainsKey((partition, sequence))
            select (partition, (long)sequence);

        public int Repeated => seen.Values.Sum(static times => times - 1);

        private static IEnumerable<string> Names => Enumerable.Range(0, Partitions).Select(static number => number.ToString(CultureInfo.InvariantCulture));

        public void Saw(Sighting sighting) => sightings.Writer.TryWrite(sighting);

        public ValueTask DisposeAsync() => writer.DisposeAsync();

        /// <summary>Sends until so many partitions are read by ours and the others by theirs.</summary>
        public async Task ReachesAsync(int ours, CancellationToken cancellationToken)
        {
            using var late = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            late.CancelAfter(Patience);
            try
            {
                do
                {
                    await RoundAsync(late.Token);
                } while (isOurs.Values.Count(static one => one) != ours);
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                Assert.Fail(
                    $"{ours} partitions should be read by ours; last by ours: {string.Join(", ", isOurs.Where(static one => one.Value).Select(static one => one.Key))}; not seen: {string.Join(", ", Missing)}"
                );
            }
        }

        private async Task RoundAsync(CancellationToken cancellationToken)
        {
            foreach (var partition in Names)
            {
                var batch = await writer.CreateBatchAsync(partitionKey: null, partition, cancellationToken);
                Assert.True(batch.TryAdd(new OutgoingEvent { Body = "event"u8.ToArray() }));
                await writer.SendAsync(batch, cancellationToken);
            }

            sent++;
            while (Missing.Any())
            {
                var sighting = await sightings.Reader.ReadAsync(cancellationToken);
                var place = (sighting.Partition, sighting.Sequence);
                seen[place] = seen.GetValueOrDefault(place) + 1;
                isOurs[sighting.Partition] = sighting.IsOurs;
            }
        }
    }

    // Our processor, which stores a checkpoint behind each batch.
    private sealed class Ours(Task running, CancellationTokenSource stop)
    {
        public static Ours Start(BuiltInClients clients, string name, Group group)
        {
            var stop = new CancellationTokenSource();
            var options = new EventHubProcessorOptions
            {
                Identifier = name,
                BalancingInterval = TimeSpan.FromMilliseconds(500),
                OwnershipExpiry = TimeSpan.FromSeconds(4),
            };
            return new Ours(clients.CreateProcessor(options, partition => new Handler(partition, group)).RunAsync(stop.Token), stop);
        }

        public async Task StopAsync()
        {
            await stop.CancelAsync();
            await running.WaitAsync(Patience);
            stop.Dispose();
        }

        private sealed class Handler(IOwnedPartition partition, Group group) : IPartitionHandler
        {
            public async Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
            {
                if (batch.Events.Count == 0)
                {
                    return;
                }

                await partition.CheckpointAsync(new EventPosition(batch.Events[^1].SequenceNumber, batch.Events[^1].Offset), cancellationToken);
                foreach (var one in batch.Events)
                {
                    group.Saw(new Sighting(one.PartitionId, one.SequenceNumber, IsOurs: true));
                }
            }

            public Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken) => Task.CompletedTask;
        }
    }

    // js/shared-group.mjs as a process of its own.
    private sealed class Theirs(RunningProcess process, Task reading) : IAsyncDisposable
    {
        public static Theirs Start(string node, EmulatorHost emulator, Group group)
        {
            var process = RunningProcess.Start(
                new ProcessCommand(node, Path.Combine(Peers.ScriptFolder, "shared-group.mjs"))
                {
                    Folder = Peers.ScriptFolder,
                    Variables = emulator.Settings,
                    IsReadByLine = true,
                }
            );
            return new Theirs(process, ReadAsync(process, group));
        }

        public async Task StopAsync(CancellationToken cancellationToken)
        {
            await process.StopAsync(Patience);
            await reading.WaitAsync(Patience, cancellationToken);
        }

        public async ValueTask DisposeAsync()
        {
            await process.StopAsync(Patience);
            await process.DisposeAsync();
        }

        private static async Task ReadAsync(RunningProcess process, Group group)
        {
            while (await process.ReadLineAsync(CancellationToken.None) is { } line)
            {
                using var told = JsonDocument.Parse(line);
                group.Saw(
                    new Sighting(told.RootElement.GetProperty("partition").GetString()!, told.RootElement.GetProperty("sequence").GetInt64(), IsOurs: false)
                );
            }
        }
    }
}
