using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>Closing needs no answer: a client with a connection ends when its services are gone, too.</summary>
public sealed class OfficialDisposalTests : EmulatedTests
{
    [Theory(Timeout = Limit)]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Everything_closes_although_the_services_are_gone(bool silent)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await using var hub = new CuttableProxy(services.Settings.EventHub.EffectivePort);
        await using var queue = new CuttableProxy(services.Settings.ServiceBus!.EffectivePort);
        await using var storage = new CuttableProxy(services.Settings.Storage!.BlobEndpoint.Port);
        var settings = services.Through(("EVENTHUB_CONNECTION_STRING", hub), ("SERVICEBUS_CONNECTION_STRING", queue), ("STORAGE_CONNECTION_STRING", storage));
        var clients = OfficialClients.Family.Connect(
            settings,
            new ClientOptions { Retry = EmulatedServices.ShortRetries with { TryTimeout = TimeSpan.FromSeconds(2) } }
        );
        var writer = clients.CreateEventHubWriter();
        var buffered = clients.CreateBufferedEventWriter()!;
        var sender = clients.CreateMessageSender("queue");
        var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions { Prefetch = 10 });
        var container = clients.GetBlobContainer("archive");

        var batch = await writer.CreateBatchAsync(null, "0", Token);
        Assert.True(batch.TryAdd(Event("e")));
        await writer.SendAsync(batch, Token);
        await buffered.AddAsync(Event("e"), null, static _ => { }, Token);
        await buffered.FlushAsync(Token);
        await sender.SendAsync(new OutgoingMessage { MessageId = "m", Body = new byte[] { 1 } }, Token);
        Assert.Single(await receiver.ReceiveAsync(1, TimeSpan.FromSeconds(30), Token));
        Assert.True(await container.ExistsAsync(Token));

        End(silent, hub, queue, storage);
        await buffered.AddAsync(Event("never sent"), null, static _ => { }, Token);

        foreach (var one in (IAsyncDisposable[])[receiver, sender, buffered, writer, clients])
        {
            await one.DisposeAsync();
            await one.DisposeAsync();
        }
    }

    [Theory(Timeout = Limit)]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_processor_stops_although_the_hub_is_gone(bool silent)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 2);
        await using var hub = new CuttableProxy(services.Settings.EventHub.EffectivePort);
        await SendAsync(services.CreateClients(), "0", 1);

        // The first retry is so far away that the stop comes before it: after the last one the package closes its partitions by itself.
        await using var clients = services.Connect(
            OfficialClients.Family,
            services.Through(("EVENTHUB_CONNECTION_STRING", hub)),
            EmulatedServices.ShortRetries with
            {
                FirstDelay = TimeSpan.FromMinutes(1),
                MaximumDelay = TimeSpan.FromMinutes(1),
            }
        );
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await recorder.UntilAsync(static at => at.Open.Count == 2 && at.Events.Count == 1, Token);

        End(silent, hub);
        await running.StopAsync();
        Assert.Equal(Enumerable.Repeat(PartitionStopReason.Shutdown, 2), recorder.Closed.Select(static closed => closed.Reason));
    }

    // Either by breaking every connection or by never answering again.
    private static void End(bool silent, params CuttableProxy[] proxies)
    {
        foreach (var proxy in proxies)
        {
            if (silent)
            {
                proxy.Silence();
            }
            else
            {
                proxy.Cut(refuse: true);
            }
        }
    }
}
