using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Logging;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Logs;

/// <summary>Events of connections and links are logged once each, and never with a secret.</summary>
public sealed class ConnectionLogTests : EmulatedTests
{
    [Fact(Timeout = Limit)]
    public async Task A_connection_that_is_lost_and_made_again()
    {
        using var log = new LogRecorder(LogLevel.Information);
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var proxy = new CuttableProxy(services.Settings.EventHub.EffectivePort);
        var clients = services.CreateClients(services.Through(("EVENTHUB_CONNECTION_STRING", proxy)), log: log);
        await clients.GetEventHubPropertiesAsync(Token);
        var connected = Assert.Single(log.Lines);
        Assert.Equal((1001, LogLevel.Information, $"event hubs 127.0.0.1:{proxy.Port}: connected"), (connected.EventId.Id, connected.Level, connected.Message));

        proxy.Cut();
        await clients.GetEventHubPropertiesAsync(Token);
        Assert.StartsWith(
            $"event hubs 127.0.0.1:{proxy.Port}: the connection was lost: ",
            Assert.Single(log.Of("ConnectionLost")).Message,
            StringComparison.Ordinal
        );
    }

    [Fact(Timeout = Limit)]
    public async Task A_service_that_is_out_of_reach_until_it_is_given_up()
    {
        using var log = new LogRecorder(LogLevel.Information);
        await using var services = await EmulatedServices.StartAsync(Token);
        var settings = services.With(
            "EVENTHUB_CONNECTION_STRING",
            text => text.Replace($":{services.Settings.EventHub.EffectivePort}", $":{FreePort.Next()}", StringComparison.Ordinal)
        );
        var clients = services.CreateClients(settings, EmulatedServices.ShortRetries with { UnreachableLimit = TimeSpan.FromMilliseconds(300) }, log: log);
        await Assert.ThrowsAsync<MessagingException>(() => clients.GetEventHubPropertiesAsync(Token));

        // Later failures are held back until the period or the clients end.
        var failed = Assert.Single(log.Of("ConnectFailed"));
        Assert.Equal((LogLevel.Warning, 1003), (failed.Level, failed.EventId.Id));
        Assert.NotNull(failed.Exception?.StackTrace);
        var given = Assert.Single(log.Of("Unreachable"));
        Assert.Equal(LogLevel.Error, given.Level);
        await clients.DisposeAsync();
        Assert.Equal(2, log.Of("ConnectFailed").Count);
    }

    [Fact(Timeout = Limit)]
    public async Task A_request_link_that_is_lost_without_pending_requests_is_logged()
    {
        using var log = new LogRecorder(LogLevel.Information);
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var proxy = new CuttableProxy(services.Settings.EventHub.EffectivePort);
        var clients = services.CreateClients(services.Through(("EVENTHUB_CONNECTION_STRING", proxy)), log: log);
        await clients.GetEventHubPropertiesAsync(Token);
        proxy.Cut();
        var line = await log.FirstAsync(static one => one.EventId.Id == 1017 && one.Message.StartsWith("$management", StringComparison.Ordinal), Token);
        Assert.NotNull(line.Exception);
    }

    [Fact(Timeout = Limit)]
    public async Task A_reader_and_a_sender_whose_connection_is_cut()
    {
        using var log = new LogRecorder(LogLevel.Information);
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await using var proxy = new CuttableProxy(services.Settings.EventHub.EffectivePort);
        await using var queueProxy = new CuttableProxy(services.Settings.ServiceBus!.EffectivePort);
        var settings = services.Through(("EVENTHUB_CONNECTION_STRING", proxy), ("SERVICEBUS_CONNECTION_STRING", queueProxy));
        var clients = services.CreateClients(settings, log: log);
        var recorder = new RecordingPartitions();
        await SendAsync(services.CreateClients(), "0", 5);
        await using var running = Running.Start(clients.CreateProcessor(Quick("one", 300), recorder.OpenHandler), recorder);
        await recorder.UntilCountAsync(5, Token);
        proxy.Cut();
        var interrupted = await log.FirstAsync("ReadingInterrupted", Token);
        Assert.StartsWith("partition 0 of 'hub': reading was interrupted", interrupted.Message, StringComparison.Ordinal);

        await using var sender = clients.CreateMessageSender("queue");
        await sender.SendAsync(new OutgoingMessage { MessageId = "1", Body = new byte[] { 1 } }, Token);
        queueProxy.Cut();
        await sender.SendAsync(new OutgoingMessage { MessageId = "2", Body = new byte[] { 1 } }, Token);
        Assert.Single(log.Of("SendingLinkLost"));
        await running.StopAsync();
        Assert.Single(log.Of("Claimed"));
        Assert.Equal("partition 0: reading has ended: Stopped", Assert.Single(log.Of("ReadingEnded")).Message);
    }

    [Fact(Timeout = Limit)]
    public async Task A_receiver_whose_connection_is_cut()
    {
        using var log = new LogRecorder(LogLevel.Information);
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var proxy = new CuttableProxy(services.Settings.ServiceBus!.EffectivePort);
        var clients = services.CreateClients(services.Through(("SERVICEBUS_CONNECTION_STRING", proxy)), log: log);
        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        var waiting = receiver.ReceiveAsync(1, TimeSpan.FromSeconds(30), Token);
        await log.FirstAsync("Connected", Token);
        proxy.Cut();
        await log.FirstAsync("ReceivingInterrupted", Token);
        await using var sender = services.CreateClients().CreateMessageSender("queue");
        await sender.SendAsync(new OutgoingMessage { MessageId = "1", Body = new byte[] { 1 } }, Token);
        Assert.Single(await waiting);
    }

    [Fact(Timeout = Limit)]
    public async Task Frames_are_logged_at_trace_only_and_without_tokens_and_bodies()
    {
        using var log = new LogRecorder();
        using var quiet = new LogRecorder(LogLevel.Debug);
        await using var services = await EmulatedServices.StartAsync(Token);
        foreach (var recorder in (LogRecorder[])[log, quiet])
        {
            var clients = services.CreateClients(log: recorder);
            await using var sender = clients.CreateMessageSender("queue");
            await sender.SendAsync(new OutgoingMessage { MessageId = "1", Body = "a secret body"u8.ToArray() }, Token);
        }

        var frames = log.Lines.Where(static line => line.Category == "EventHubThroughput.Frames").ToArray();
        Assert.All(frames, static line => Assert.Equal((LogLevel.Trace, 1000), (line.Level, line.EventId.Id)));
        Assert.Contains(frames, static line => line.Message.Contains("-> [0] open(", StringComparison.Ordinal));
        Assert.Contains(frames, static line => line.Message.Contains("<- [0] open(", StringComparison.Ordinal));
        Assert.Contains(frames, static line => line.Message.Contains("-> [1] transfer(", StringComparison.Ordinal));
        Assert.DoesNotContain(
            log.Lines,
            static line => line.Message.Contains("secret body", StringComparison.Ordinal) || line.Message.Contains("sig=", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(quiet.Lines, static line => line.Category == "EventHubThroughput.Frames");
    }
}
