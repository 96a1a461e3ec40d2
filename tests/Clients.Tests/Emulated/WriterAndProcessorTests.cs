using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Emulated;

public sealed class WriterAndProcessorTests : EmulatedTests
{
    [Theory(Timeout = Limit)]
    [InlineData(300)]
    [InlineData(0)]
    public async Task Every_event_arrives_once_and_in_order(int prefetch)
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        for (var partition = 0; partition < 4; partition++)
        {
            await SendAsync(clients, $"{partition}", 250, $"{partition}-");
        }

        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Quick("one", prefetch), recorder.OpenHandler), recorder);
        await recorder.UntilCountAsync(1000, Token);
        await running.StopAsync();
        Assert.Equal(1000, recorder.Events.Count);
        foreach (var partition in recorder.Events.GroupBy(static one => one.PartitionId))
        {
            Assert.Equal(Enumerable.Range(0, 250).Select(index => $"{partition.Key}-{index}"), partition.Select(Text));
            Assert.Equal(Enumerable.Range(0, 250).Select(static index => (long)index), partition.Select(static one => one.SequenceNumber));
        }

        Assert.All(recorder.BatchSizes, static size => Assert.InRange(size, 1, 10));
        Assert.Equal(4, recorder.Closed.Count(static closed => closed.Reason == PartitionStopReason.Shutdown));
        Assert.All(await clients.CheckpointStore.ListOwnershipsAsync(Token), static ownership => Assert.Empty(ownership.OwnerId));
    }

    [Fact(Timeout = Limit)]
    public async Task Without_prefetch_a_backlog_comes_in_full_batches()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        await SendAsync(clients, "0", 100);
        var recorder = new RecordingPartitions();
        var options = Quick("one", prefetch: 0) with { BuildInterval = TimeSpan.FromSeconds(30) };
        await using var running = Running.Start(clients.CreateProcessor(options, recorder.OpenHandler), recorder);
        await recorder.UntilCountAsync(100, Token);
        Assert.Equal(Enumerable.Repeat(10, 10), recorder.BatchSizes);
    }

    [Fact(Timeout = Limit)]
    public async Task Without_prefetch_a_partial_batch_is_handed_over_after_the_build_interval()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        await SendAsync(clients, "0", 7);
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Quick("one", prefetch: 0), recorder.OpenHandler), recorder);
        await recorder.UntilCountAsync(7, Token);
        await SendAsync(clients, "0", 13, first: 7);
        await recorder.UntilCountAsync(20, Token);
        Assert.Equal(Enumerable.Range(0, 20).Select(static index => $"e{index}"), recorder.Events.Select(Text));
    }

    [Fact(Timeout = Limit)]
    public async Task Keeps_a_key_on_its_partition_with_its_properties()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        await using var writer = clients.CreateEventHubWriter();
        var batch = await writer.CreateBatchAsync("order-42", null, Token);
        var outgoing = new OutgoingEvent()
        {
            Body = "body"u8.ToArray(),
            ContentType = "text/plain",
            Properties = new Dictionary<string, object?>(StringComparer.Ordinal) { ["n"] = 42L, ["t"] = "text" },
        };
        Assert.True(batch.TryAdd(outgoing));
        Assert.True(batch.TryAdd(outgoing));
        await writer.SendAsync(batch, Token);

        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await recorder.UntilCountAsync(2, Token);
        Assert.All(
            recorder.Events,
            static one =>
            {
                Assert.Equal($"{PartitionKeyHash.PartitionOf("order-42", 4)}", one.PartitionId);
                Assert.Equal("order-42", one.PartitionKey);
                Assert.Equal("text/plain", one.ContentType);
                var properties = new AmqpReader(one.EncodedProperties).ReadMap();
                Assert.Equal(42L, properties["n"]);
                Assert.Equal("text", properties["t"]);
            }
        );
    }

    [Fact(Timeout = Limit)]
    public async Task Concurrent_sends_lose_and_repeat_nothing()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        await using (var writer = clients.CreateEventHubWriter())
        {
            await Task.WhenAll(
                Enumerable
                    .Range(0, 500)
                    .Select(async index =>
                    {
                        var batch = await writer.CreateBatchAsync($"key-{index % 7}", null, Token);
                        Assert.True(batch.TryAdd(Event($"{index}")));
                        await writer.SendAsync(batch, Token);
                    })
            );
        }

        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await recorder.UntilCountAsync(500, Token);
        Assert.Equal(500, recorder.Events.Select(Text).Distinct(StringComparer.Ordinal).Count());
    }

    [Fact(Timeout = Limit)]
    public async Task Reads_what_hub_and_partitions_say_of_themselves()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        var hub = await clients.GetEventHubPropertiesAsync(Token);
        Assert.Equal("hub", hub.Name);
        Assert.Equal(["0", "1", "2", "3"], hub.PartitionIds);
        var empty = await clients.GetPartitionPropertiesAsync("1", Token);
        Assert.Equal(("1", -1, -1, true), (empty.PartitionId, empty.BeginSequenceNumber, empty.LastSequenceNumber, empty.IsEmpty));
        await SendAsync(clients, "1", 3);
        var filled = await clients.GetPartitionPropertiesAsync("1", Token);
        Assert.Equal((0, 2, false), (filled.BeginSequenceNumber, filled.LastSequenceNumber, filled.IsEmpty));
    }

    [Fact(Timeout = Limit)]
    public async Task Resumes_after_the_checkpoint()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 2);
        var clients = services.CreateClients();
        await SendAsync(clients, "0", 40);
        await SendAsync(clients, "1", 40);
        var first = new RecordingPartitions(checkpoints: true);
        await using (var running = Running.Start(clients.CreateProcessor(Quick("one"), first.OpenHandler), first))
        {
            await first.UntilCountAsync(80, Token);
            await running.StopAsync();
        }

        await SendAsync(clients, "0", 5, first: 40);
        var second = new RecordingPartitions(checkpoints: true);
        await using (var running = Running.Start(clients.CreateProcessor(Quick("two"), second.OpenHandler), second))
        {
            await second.UntilCountAsync(5, Token);
            await running.StopAsync();
        }

        Assert.Equal(["e40", "e41", "e42", "e43", "e44"], second.Events.Select(Text));
        Assert.Equal(44, (await clients.CheckpointStore.ReadCheckpointAsync("0", Token))?.Position.SequenceNumber);
    }

    [Theory(Timeout = Limit)]
    [InlineData("19")]
    [InlineData(null)]
    [InlineData("no offset")]
    public async Task Starts_after_a_stored_position_with_or_without_an_offset(string? offset)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        await SendAsync(clients, "0", 30);
        var peek = new RecordingPartitions();
        await using (var running = Running.Start(clients.CreateProcessor(Quick("peek"), peek.OpenHandler), peek))
        {
            await peek.UntilCountAsync(30, Token);
            await running.StopAsync();
        }

        var stored = offset == "19" ? peek.Events[19].Offset : offset;
        await clients.CheckpointStore.WriteCheckpointAsync("0", new EventPosition(19, stored), "test", null, fenced: false, Token);
        var recorder = new RecordingPartitions();
        await using var resumed = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await recorder.UntilCountAsync(10, Token);
        Assert.Equal("e20", Text(recorder.Events[0]));
    }

    [Fact(Timeout = Limit)]
    public async Task Latest_skips_what_was_there_before()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients();
        await SendAsync(clients, "0", 10);
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(
            clients.CreateProcessor(Quick("one") with { StartingPosition = StartingPosition.Latest }, recorder.OpenHandler),
            recorder
        );
        await recorder.UntilAsync(static one => !one.Open.IsEmpty, Token);

        // The position is read right after the handler was opened. Events sent before that are skipped rightly.
        var sent = 10;
        while (recorder.Events.Count == 0)
        {
            await SendAsync(clients, "0", 1, first: sent++);
        }

        Assert.InRange(recorder.Events[0].SequenceNumber, 10, sent);
    }

    [Fact(Timeout = Limit)]
    public async Task A_handlers_exception_ends_the_processor_and_closes_every_partition()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        var recorder = new RecordingPartitions() { OnBatch = static (_, _) => throw new InvalidOperationException("handler failed") };
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        await recorder.UntilAsync(static one => one.Open.Count == 4, Token);
        await SendAsync(clients, "2", 1);
        var thrown = await Assert.ThrowsAsync<InvalidOperationException>(() => running.Task);
        Assert.Equal("handler failed", thrown.Message);
        Assert.Equal(4, recorder.Closed.Count);
        Assert.All(recorder.Closed, static closed => Assert.Equal(PartitionStopReason.Shutdown, closed.Reason));
        Assert.Empty(running.Processor.OwnedPartitions);
    }
}
