using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>
/// The official JavaScript consumer and our processor in one consumer group at the same time. Each sees the other's ownerships, continues from its
/// checkpoints, and takes all when it has gone.
/// </summary>
public sealed class SharedGroupTests
{
    private const int Partitions = 4;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData("builtin")]
    [InlineData(ClientFamily.Official)]
    public async Task Theirs_and_ours_share_the_partitions_and_take_over_from_each_other(string family)
    {
        var cancelled = TestContext.Current.CancellationToken;
        var node = Peers.RequireNode("@azure/event-hubs", "@azure/storage-blob", "@azure/eventhubs-checkpointstore-blob");
        var script = new PeerScript(node, Path.Combine(Peers.ScriptFolder, "shared-group.mjs"));
        var entities = EntitySet.Default with { Hubs = [new HubSettings("hub") { Partitions = Partitions }] };
        await using var emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = entities }, cancelled);
        var settings = MessagingSettings.FromEnvironment(emulator.Settings.GetValueOrDefault, SettingsScope.Consumer).Require();
        await using var clients = (family == ClientFamily.Official ? OfficialClients.Family : ClientFamily.BuiltIn).Connect(settings, new ClientOptions());
        await using var group = new Group(clients);

        await using var theirs = PeerConsumer.Start(script, emulator, group.Saw);
        await group.ReachesAsync(ours: 0, cancelled);
        await using var first = OurConsumer.Start(clients, "first", group.Saw);
        await group.ReachesAsync(ours: 2, cancelled);
        await first.StopAsync(Patience);
        await group.ReachesAsync(ours: 0, cancelled);
        await using var second = OurConsumer.Start(clients, "second", group.Saw);
        await group.ReachesAsync(ours: 2, cancelled);
        await theirs.StopAsync(Patience, cancelled);
        await group.ReachesAsync(ours: Partitions, cancelled);
        await second.StopAsync(Patience);

        Assert.Empty(group.Missing);
        // Events of a living owner may come again: those in flight after its last checkpoint, here one event.
        Assert.InRange(group.Repeated, 0, 4 * Partitions);
        var ownerships = await clients.CheckpointStore.ListOwnershipsAsync(cancelled);
        Assert.Equal(Partitions, ownerships.Count);
        Assert.All(ownerships, static ownership => Assert.Equal("", ownership.OwnerId));
    }

    // Sends an event to each partition at a time, and waits for all of them.
    private sealed class Group(IMessagingClients clients) : IAsyncDisposable
    {
        private readonly Sightings sightings = new();
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

        public void Saw(Sighting sighting) => sightings.Add(sighting);

        public ValueTask DisposeAsync() => writer.DisposeAsync();

        /// <summary>Sends until ours and the others each read their number of partitions.</summary>
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
                var sighting = await sightings.ReadAsync(cancellationToken);
                var place = (sighting.Partition, sighting.SequenceNumber);
                seen[place] = seen.GetValueOrDefault(place) + 1;
                isOurs[sighting.Partition] = sighting.IsOurs;
            }
        }
    }
}
