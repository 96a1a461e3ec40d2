using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>One consumer group, read first by one client and then by another: each official SDK against each family of ours.</summary>
public sealed class ResumptionTests
{
    private const int Partitions = 4;
    private const int Before = 10;
    private const int After = 5;
    private const string JavaScript = "JavaScript";
    private const string Python = "Python";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    public static TheoryData<string, string> Rows =>
        new()
        {
            { JavaScript, ClientFamily.BuiltIn.Name },
            { JavaScript, ClientFamily.Official },
            { Python, ClientFamily.BuiltIn.Name },
            { Python, ClientFamily.Official },
        };

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private static IEnumerable<string> Names => Enumerable.Range(0, Partitions).Select(static number => number.ToString(CultureInfo.InvariantCulture));

    [Theory]
    [MemberData(nameof(Rows))]
    public async Task A_peer_reads_the_checkpoints_of_our_processor_and_resumes_after_them(string peer, string family)
    {
        var script = GetScript(peer);
        await using var emulator = await StartAsync(peer);
        await using var clients = Connect(family, emulator);
        var sightings = new Sightings();
        await SendAsync(clients, Before);
        await using (var ours = OurConsumer.Start(clients, "ours", sightings.Add))
        {
            await SeenAsync(sightings, first: 0, Before, ours.Errors);
            await ours.StopAsync(Patience);
        }

        List<PeerCheckpoint> stored = [];
        foreach (var partition in Names)
        {
            var checkpoint = (await clients.CheckpointStore.ReadCheckpointAsync(partition, Cancelled))!;
            stored.Add(new PeerCheckpoint(partition, checkpoint.Position.SequenceNumber, checkpoint.Position.Offset));
        }

        await SendAsync(clients, After);
        await using var theirs = PeerConsumer.Start(script, emulator, sightings.Add);

        Assert.Equal(stored, await theirs.Listed.WaitAsync(Patience, Cancelled));
        Assert.All(stored, static one => Assert.Equal(Before - 1, one.SequenceNumber));
        await SeenAsync(sightings, first: Before, After, theirs.Errors);
        await theirs.StopAsync(Patience, Cancelled);
    }

    [Theory]
    [MemberData(nameof(Rows))]
    public async Task Our_processor_resumes_after_the_checkpoints_of_a_peer(string peer, string family)
    {
        var script = GetScript(peer);
        await using var emulator = await StartAsync(peer);
        await using var clients = Connect(family, emulator);
        var sightings = new Sightings();
        await SendAsync(clients, Before);
        await using (var theirs = PeerConsumer.Start(script, emulator, sightings.Add))
        {
            Assert.Empty(await theirs.Listed.WaitAsync(Patience, Cancelled));
            await SeenAsync(sightings, first: 0, Before, theirs.Errors);
            await theirs.StopAsync(Patience, Cancelled);
        }

        await SendAsync(clients, After);
        await using var ours = OurConsumer.Start(clients, "ours", sightings.Add);

        await SeenAsync(sightings, first: Before, After, ours.Errors);
        Assert.Equal(Names, ours.StartedFrom.Keys.Order());
        Assert.All(ours.StartedFrom.Values, static checkpoint => Assert.Equal(Before - 1, checkpoint?.Position.SequenceNumber));
        await ours.StopAsync(Patience);
        foreach (var partition in Names)
        {
            Assert.Equal(Before + After - 1, (await clients.CheckpointStore.ReadCheckpointAsync(partition, Cancelled))?.Position.SequenceNumber);
        }
    }

    private static PeerScript GetScript(string peer) =>
        peer == Python
            ? PythonScript.OfSdk("shared_group.py")
            : new PeerScript(
                Peers.RequireNode("@azure/event-hubs", "@azure/storage-blob", "@azure/eventhubs-checkpointstore-blob"),
                Path.Combine(Peers.ScriptFolder, "shared-group.mjs")
            );

    private static Task<EmulatorHost> StartAsync(string peer)
    {
        var entities = EntitySet.Default with { Hubs = [new HubSettings("hub") { Partitions = Partitions }] };
        return peer == Python
            ? PythonScript.StartWithTlsAsync(entities, Cancelled)
            : EmulatorHost.StartAsync(new EmulatorOptions { Entities = entities }, Cancelled);
    }

    private static IMessagingClients Connect(string family, EmulatorHost emulator)
    {
        var settings = MessagingSettings.FromEnvironment(emulator.Settings.GetValueOrDefault, SettingsScope.Consumer).Require();
        return (family == ClientFamily.Official ? OfficialClients.Family : ClientFamily.BuiltIn).Connect(settings, new ClientOptions());
    }

    // Each event once, in order, and no event before the first.
    private static async Task SeenAsync(Sightings sightings, int first, int count, Func<IEnumerable<string>> remarks)
    {
        var seen = await sightings.ReadAsync(Partitions * count, Patience, remarks, Cancelled);
        Assert.Equal(Names, seen.Keys);
        Assert.All(seen.Values, numbers => Assert.Equal(Enumerable.Range(first, count).Select(static number => (long)number), numbers));
    }

    private static async Task SendAsync(IMessagingClients clients, int count)
    {
        await using var writer = clients.CreateEventHubWriter();
        foreach (var partition in Names)
        {
            var batch = await writer.CreateBatchAsync(partitionKey: null, partition, Cancelled);
            for (var number = 0; number < count; number++)
            {
                Assert.True(batch.TryAdd(new OutgoingEvent { Body = "event"u8.ToArray() }));
            }

            await writer.SendAsync(batch, Cancelled);
        }
    }
}
