using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The clients of src/Clients, for the sake of the table. tests/Clients.Tests goes deeper.</summary>
public sealed class OurClientTests(FlowRuns runs) : FlowTests(runs, Group)
{
    private static readonly TimeSpan Wait = TimeSpan.FromSeconds(20);

    internal static FlowGroup Group { get; } = new(typeof(OurClientTests), FlowClient.Ours, RunAsync);

    [Fact, Feature(Features.Send)]
    public Task A_batch_is_sent_to_a_hub() => PassesAsync();

    [Fact, Feature(Features.PartitionKey)]
    public Task A_key_leads_to_the_partition_that_the_service_chooses() => PassesAsync();

    [Fact, Feature(Features.Buffered)]
    public Task A_buffered_writer_gathers_events_and_reports_each() => PassesAsync();

    [Fact, Feature(Features.HubManagement)]
    public Task A_hub_lists_its_partitions() => PassesAsync();

    [Fact, Feature(Features.Checkpoints)]
    public Task A_processor_reads_and_checkpoints_and_a_second_one_continues() => PassesAsync();

    [Fact, Feature(Features.HubWebSockets)]
    public Task Events_travel_over_WebSockets() => PassesAsync();

    [Fact, Feature(Features.QueueWebSockets)]
    public Task Messages_travel_over_WebSockets() => PassesAsync();

    [Fact, Feature(Features.MessageSend)]
    public Task A_message_is_sent_received_and_completed() => PassesAsync();

    [Fact, Feature(Features.Abandon)]
    public Task An_abandoned_message_comes_again() => PassesAsync();

    [Fact, Feature(Features.ReceiveAndDelete)]
    public Task A_message_is_received_and_deleted() => PassesAsync();

    [Fact, Feature(Features.QueueErrors)]
    public Task An_unknown_queue_is_reported() => PassesAsync();

    [Fact, Feature(Features.PutBlob)]
    public Task A_blob_is_put_and_read() => PassesAsync();

    [Fact, Feature(Features.BlobConditions)]
    public Task A_conditional_put_is_refused() => PassesAsync();

    [Fact, Feature(Features.Lists)]
    public Task Blobs_are_listed_by_prefix() => PassesAsync();

    private static async Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken)
    {
        await using var emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = EntitySet.Default }, cancellationToken);
        var read = MessagingSettings.FromEnvironment(emulator.Settings.GetValueOrDefault, SettingsScope.Consumer);
        await using var clients = new BuiltInClients(read.Settings!, new BuiltInClientOptions { Seed = 1 });
        await using var overWebSockets = new BuiltInClients(
            read.Settings! with
            {
                Transport = MessagingTransport.WebSockets,
            },
            new BuiltInClientOptions { Seed = 1 }
        );
        var container = clients.GetBlobContainer("archive");
        return await FlowReport.RunAsync([
            (nameof(A_batch_is_sent_to_a_hub), () => Batch(clients, cancellationToken)),
            (nameof(A_key_leads_to_the_partition_that_the_service_chooses), () => Keys(clients, cancellationToken)),
            (nameof(A_hub_lists_its_partitions), () => Management(clients, cancellationToken)),
            (nameof(A_processor_reads_and_checkpoints_and_a_second_one_continues), () => Processors(clients, cancellationToken)),
            (nameof(Events_travel_over_WebSockets), () => Events(overWebSockets, cancellationToken)),
            (nameof(Messages_travel_over_WebSockets), () => Complete(overWebSockets, cancellationToken)),
            (nameof(A_buffered_writer_gathers_events_and_reports_each), () => Buffered(clients, cancellationToken)),
            (nameof(A_message_is_sent_received_and_completed), () => Complete(clients, cancellationToken)),
            (nameof(An_abandoned_message_comes_again), () => Abandon(clients, cancellationToken)),
            (nameof(A_message_is_received_and_deleted), () => ReceiveAndDelete(clients, cancellationToken)),
            (nameof(An_unknown_queue_is_reported), () => UnknownQueue(clients, cancellationToken)),
            (nameof(A_blob_is_put_and_read), () => Put(container, cancellationToken)),
            (nameof(A_conditional_put_is_refused), () => Condition(container, cancellationToken)),
            (nameof(Blobs_are_listed_by_prefix), () => List(container, cancellationToken)),
        ]);
    }

    private static async Task Events(BuiltInClients clients, CancellationToken cancellationToken)
    {
        var before = (await clients.GetPartitionPropertiesAsync("2", cancellationToken)).LastSequenceNumber;
        await SendAsync(clients, null, "2", 10, cancellationToken);
        Assert.Equal(before + 10, (await clients.GetPartitionPropertiesAsync("2", cancellationToken)).LastSequenceNumber);
    }

    private static async Task Batch(BuiltInClients clients, CancellationToken cancellationToken)
    {
        await SendAsync(clients, null, "0", 10, cancellationToken);
        Assert.Equal(9, (await clients.GetPartitionPropertiesAsync("0", cancellationToken)).LastSequenceNumber);
    }

    private static async Task Keys(BuiltInClients clients, CancellationToken cancellationToken)
    {
        var before = (await clients.GetPartitionPropertiesAsync("3", cancellationToken)).LastSequenceNumber;
        await SendAsync(clients, "order-42", null, 2, cancellationToken);
        Assert.Equal(before + 2, (await clients.GetPartitionPropertiesAsync("3", cancellationToken)).LastSequenceNumber);
    }

    // After the processors, whose count of events is that of the flows before them.
    private static async Task Buffered(BuiltInClients clients, CancellationToken cancellationToken)
    {
        var before = (await clients.GetPartitionPropertiesAsync("3", cancellationToken)).LastSequenceNumber;
        var stored = 0;
        await using var writer = clients.CreateBufferedEventWriter();
        for (var number = 0; number < 100; number++)
        {
            await writer.AddAsync(
                new OutgoingEvent { Body = new byte[] { 1 } },
                "order-42",
                failure => Interlocked.Add(ref stored, failure is null ? 1 : 1_000),
                cancellationToken
            );
        }

        await writer.FlushAsync(cancellationToken);
        Assert.Equal(100, stored);
        Assert.Equal(before + 100, (await clients.GetPartitionPropertiesAsync("3", cancellationToken)).LastSequenceNumber);
    }

    private static async Task Management(BuiltInClients clients, CancellationToken cancellationToken)
    {
        var hub = await clients.GetEventHubPropertiesAsync(cancellationToken);
        Assert.Equal(("hub", "0123"), (hub.Name, string.Concat(hub.PartitionIds)));
    }

    // Twelve events are in the hub from the flows before. Four more come between the two processors.
    private static async Task Processors(BuiltInClients clients, CancellationToken cancellationToken)
    {
        var handler = new CountingHandler();
        await ProcessUntilAsync(clients, "first", handler, 12, cancellationToken);
        await SendAsync(clients, null, "1", 4, cancellationToken);
        await ProcessUntilAsync(clients, "second", handler, 16, cancellationToken);
        Assert.Equal(16, handler.Seen);
    }

    private static async Task ProcessUntilAsync(BuiltInClients clients, string name, CountingHandler handler, int count, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        handler.ReachesAt(count, stop);
        await clients
            .CreateProcessor(new EventHubProcessorOptions { Identifier = name }, handler.Open)
            .RunAsync(stop.Token)
            .WaitAsync(Wait, TimeProvider.System, cancellationToken);
    }

    private static async Task Complete(BuiltInClients clients, CancellationToken cancellationToken)
    {
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await SendAsync(clients, "complete", cancellationToken);
        await receiver.CompleteAsync(await OneAsync(receiver, "complete", cancellationToken), cancellationToken);
    }

    private static async Task Abandon(BuiltInClients clients, CancellationToken cancellationToken)
    {
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await SendAsync(clients, "abandon", cancellationToken);
        await receiver.AbandonAsync(await OneAsync(receiver, "abandon", cancellationToken), cancellationToken);
        var again = await OneAsync(receiver, "abandon", cancellationToken);
        Assert.Equal(1, again.DeliveryCount);
        await receiver.CompleteAsync(again, cancellationToken);
    }

    private static async Task ReceiveAndDelete(BuiltInClients clients, CancellationToken cancellationToken)
    {
        await SendAsync(clients, "delete", cancellationToken);
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions { ReceiveAndDelete = true });
        await OneAsync(receiver, "delete", cancellationToken);
        Assert.Empty(await receiver.ReceiveAsync(1, TimeSpan.FromMilliseconds(200), cancellationToken));
    }

    private static async Task UnknownQueue(BuiltInClients clients, CancellationToken cancellationToken)
    {
        await using var sender = clients.CreateMessageSender("no-such-queue");
        var exception = await Assert.ThrowsAsync<MessagingException>(() =>
            sender.SendAsync(new OutgoingMessage { MessageId = "m", Body = default }, cancellationToken).AsTask()
        );
        Assert.Equal(FailureKind.NotFound, exception.Kind);
    }

    private static async Task Put(IBlobContainer container, CancellationToken cancellationToken)
    {
        byte[] content = [.. Enumerable.Range(0, 100_000).Select(static index => (byte)index)];
        await container.UploadAsync(new BlobUpload { Name = "put", Content = content }, cancellationToken);
        Assert.True((await container.DownloadAsync("put", cancellationToken)).Span.SequenceEqual(content));
    }

    private static async Task Condition(IBlobContainer container, CancellationToken cancellationToken)
    {
        var upload = new BlobUpload()
        {
            Name = "condition",
            Content = new byte[] { 1 },
            Condition = BlobCondition.Absent,
        };
        await container.UploadAsync(upload, cancellationToken);
        var exception = await Assert.ThrowsAsync<MessagingException>(() => container.UploadAsync(upload, cancellationToken).AsTask());
        Assert.Equal(FailureKind.Conflict, exception.Kind);
    }

    private static async Task List(IBlobContainer container, CancellationToken cancellationToken)
    {
        foreach (var name in new[] { "list/b", "list/a", "other" })
        {
            await container.UploadAsync(new BlobUpload { Name = name, Content = default }, cancellationToken);
        }

        List<string> names = [];
        await foreach (var blob in container.ListAsync("list/", cancellationToken))
        {
            names.Add(blob.Name);
        }

        Assert.Equal(["list/a", "list/b"], names);
    }

    private static async Task SendAsync(BuiltInClients clients, string? key, string? partition, int count, CancellationToken cancellationToken)
    {
        await using var writer = clients.CreateEventHubWriter();
        var batch = await writer.CreateBatchAsync(key, partition, cancellationToken);
        for (var index = 0; index < count; index++)
        {
            Assert.True(batch.TryAdd(new OutgoingEvent { Body = new byte[] { (byte)index } }));
        }

        await writer.SendAsync(batch, cancellationToken);
    }

    private static async Task SendAsync(BuiltInClients clients, string id, CancellationToken cancellationToken)
    {
        await using var sender = clients.CreateMessageSender("queue");
        await sender.SendAsync(new OutgoingMessage { MessageId = id, Body = new byte[] { 1 } }, cancellationToken);
    }

    private static async Task<ReceivedMessage> OneAsync(IMessageReceiver receiver, string id, CancellationToken cancellationToken)
    {
        var message = Assert.Single(await receiver.ReceiveAsync(1, Wait, cancellationToken));
        Assert.Equal(id, message.MessageId);
        return message;
    }
}
