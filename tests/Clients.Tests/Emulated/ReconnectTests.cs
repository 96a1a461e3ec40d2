using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Emulated;

public sealed class ReconnectTests : EmulatedTests
{
    [Theory(Timeout = Limit)]
    [InlineData(300)]
    [InlineData(0)]
    public async Task A_processor_continues_without_a_gap_or_repetition_after_a_dropped_connection(int prefetch)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 2);
        await using var proxy = new CuttableProxy(services.Settings.EventHub.EffectivePort);
        var direct = services.CreateClients();
        var clients = services.CreateClients(Through(services, proxy, "EVENTHUB_CONNECTION_STRING"));
        var batches = 0;
        var recorder = new RecordingPartitions()
        {
            OnBatch = (_, _) =>
            {
                if (Interlocked.Increment(ref batches) % 20 == 0)
                {
                    proxy.Cut();
                }

                return Task.CompletedTask;
            },
        };
        await SendAsync(direct, "0", 300);
        await SendAsync(direct, "1", 300);
        await using var running = Running.Start(clients.CreateProcessor(Quick("one", prefetch), recorder.OpenHandler), recorder);
        await recorder.UntilCountAsync(600, Token);
        proxy.Cut();
        await SendAsync(direct, "0", 50, first: 300);
        await recorder.UntilCountAsync(650, Token);
        await running.StopAsync();
        Assert.True(proxy.Accepted > 1);
        Assert.Equal(
            Enumerable.Range(0, 350).Select(static index => (long)index),
            recorder.Events.Where(static one => one.PartitionId == "0").Select(static one => one.SequenceNumber)
        );
        Assert.Equal(
            Enumerable.Range(0, 300).Select(static index => (long)index),
            recorder.Events.Where(static one => one.PartitionId == "1").Select(static one => one.SequenceNumber)
        );
    }

    [Fact(Timeout = Limit)]
    public async Task Sends_that_were_cut_off_are_repeated_until_they_are_accepted()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var proxy = new CuttableProxy(services.Settings.ServiceBus!.EffectivePort);
        var clients = services.CreateClients(Through(services, proxy, "SERVICEBUS_CONNECTION_STRING"));
        await using var sender = clients.CreateMessageSender("queue");
        var sent = 0;
        await Parallel.ForEachAsync(
            Enumerable.Range(0, 400),
            new ParallelOptions { MaxDegreeOfParallelism = 16, CancellationToken = Token },
            async (index, token) =>
            {
                await sender.SendAsync(new OutgoingMessage { MessageId = $"m{index}", Body = new byte[] { 1 } }, token);
                if (Interlocked.Increment(ref sent) % 100 == 50)
                {
                    proxy.Cut();
                }
            }
        );
        Assert.True(proxy.Accepted > 1);
        await using var receiver = services.CreateClients().CreateMessageReceiver("queue", new MessageReceiverOptions());
        var seen = new HashSet<string>(StringComparer.Ordinal);
        while (seen.Count < 400)
        {
            var messages = await receiver.ReceiveAsync(100, TimeSpan.FromSeconds(10), Token);
            Assert.NotEmpty(messages);
            foreach (var message in messages)
            {
                seen.Add(message.MessageId);
                await receiver.CompleteAsync(message, Token);
            }
        }
    }

    [Fact(Timeout = Limit)]
    public async Task A_message_whose_link_has_gone_is_settled_through_management()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var proxy = new CuttableProxy(services.Settings.ServiceBus!.EffectivePort);
        var clients = services.CreateClients(Through(services, proxy, "SERVICEBUS_CONNECTION_STRING"));
        await using var sender = clients.CreateMessageSender("queue");
        await sender.SendAsync(new OutgoingMessage { MessageId = "m", Body = new byte[] { 1 } }, Token);
        var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        var message = Assert.Single(await receiver.ReceiveAsync(1, TimeSpan.FromSeconds(10), Token));
        await receiver.DisposeAsync();
        var second = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        await second.CompleteAsync(message, Token);
        await Assert.ThrowsAsync<MessagingException>(() => second.CompleteAsync(message, Token));
        Assert.Empty(await second.ReceiveAsync(1, TimeSpan.FromMilliseconds(50), Token));
        await second.DisposeAsync();
    }

    // An operation may take less time than a connection: the wait for one is not the reader's failure.
    [Fact(Timeout = Limit)]
    public async Task A_service_that_stays_away_is_unreachable_to_its_readers()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 2);
        await using var hubs = new CuttableProxy(services.Settings.EventHub.EffectivePort);
        await using var queues = new CuttableProxy(services.Settings.ServiceBus!.EffectivePort);
        var limit = TimeSpan.FromMilliseconds(300);
        var clients = services.CreateClients(
            services.Through(("EVENTHUB_CONNECTION_STRING", hubs), ("SERVICEBUS_CONNECTION_STRING", queues)),
            EmulatedServices.ShortRetries with
            {
                OperationTimeout = TimeSpan.FromMilliseconds(100),
                UnreachableLimit = limit,
            }
        );
        await SendAsync(services.CreateClients(), "0", 1);
        var recorder = new RecordingPartitions();
        var processing = clients.CreateProcessor(Quick("one") with { UnreachableLimit = limit }, recorder.OpenHandler).RunAsync(Token);
        await recorder.UntilCountAsync(1, Token);
        hubs.Cut(refuse: true);
        queues.Cut(refuse: true);
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());

        await UnreachableAsync($"event hubs 127.0.0.1:{hubs.Port}", () => processing);
        await UnreachableAsync($"service bus 127.0.0.1:{queues.Port}", () => receiver.ReceiveAsync(1, TimeSpan.FromSeconds(10), Token));

        static async Task UnreachableAsync(string service, Func<Task> use)
        {
            var failure = await Assert.ThrowsAsync<MessagingException>(use);
            Assert.Equal((FailureKind.Unreachable, $"{service} unreachable for 0.3 s"), (failure.Kind, failure.Message));
        }
    }

    [Fact(Timeout = Limit)]
    public async Task A_service_that_comes_back_within_the_limit_is_used_again()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var proxy = new CuttableProxy(services.Settings.EventHub.EffectivePort);
        var clients = services.CreateClients(Through(services, proxy, "EVENTHUB_CONNECTION_STRING"));
        await clients.GetEventHubPropertiesAsync(Token);
        proxy.Cut(refuse: true);
        var asked = clients.GetEventHubPropertiesAsync(Token);
        Assert.False(asked.IsCompleted);
        proxy.Mend();
        Assert.Equal("hub", (await asked).Name);
    }

    [Fact(Timeout = Limit)]
    public async Task Tokens_are_renewed_before_they_end()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.CreateClients(tokenLifetime: TimeSpan.FromSeconds(4));
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);

        // Continues until the first token has ended, by the service's own clock.
        var sent = 0;
        do
        {
            await SendAsync(clients, "0", 1, first: sent++);
            await recorder.UntilCountAsync(sent, Token);
        } while (recorder.Events[^1].EnqueuedTime - recorder.Events[0].EnqueuedTime < TimeSpan.FromSeconds(5));

        Assert.Empty(recorder.Closed);
        Assert.Equal(Enumerable.Range(0, sent).Select(static index => (long)index), recorder.Events.Select(static one => one.SequenceNumber));
    }

    private static MessagingSettings Through(EmulatedServices services, CuttableProxy proxy, string variable) =>
        services.With(variable, text => text.Replace($":{MessagingConnectionString.Parse(text).EffectivePort}", $":{proxy.Port}", StringComparison.Ordinal));
}
