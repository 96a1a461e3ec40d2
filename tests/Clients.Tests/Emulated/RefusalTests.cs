using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.Amqp;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Emulated;

public sealed class RefusalTests : EmulatedTests
{
    [Fact(Timeout = Limit)]
    public async Task An_unknown_hub_is_named()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients(services.Settings with { EventHubName = "nowhere" });
        await using var writer = clients.CreateEventHubWriter();
        await FailsAsync(FailureKind.NotFound, "event hub 'nowhere' not found", () => clients.GetEventHubPropertiesAsync(Token));
        await FailsAsync(FailureKind.NotFound, "event hub 'nowhere' not found", () => writer.CreateBatchAsync(null, null, Token));
        var processor = clients.CreateProcessor(Quick("one"), new RecordingPartitions().OpenHandler);
        await FailsAsync(FailureKind.NotFound, "event hub 'nowhere' not found", () => processor.RunAsync(Token));
    }

    [Fact(Timeout = Limit)]
    public async Task An_unknown_queue_is_named()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        await using var sender = clients.CreateMessageSender("nowhere");
        await using var receiver = clients.CreateMessageReceiver("nowhere", new MessageReceiverOptions());
        await FailsAsync(FailureKind.NotFound, "queue or topic 'nowhere' not found", () => sender.SendAsync(Message(1), Token).AsTask());
        await FailsAsync(FailureKind.NotFound, "queue or topic 'nowhere' not found", () => receiver.ReceiveAsync(1, TimeSpan.FromSeconds(10), Token));
    }

    [Fact(Timeout = Limit)]
    public async Task An_unknown_partition_is_refused()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.CreateClients();
        var failure = await Assert.ThrowsAsync<MessagingException>(() => clients.GetPartitionPropertiesAsync("99", Token));
        Assert.Equal(FailureKind.Permanent, failure.Kind);
        Assert.Contains("It should be between 0 and ", failure.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task A_wrong_key_is_not_authorised_and_not_shown()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var hub = services.CreateClients(services.With("EVENTHUB_CONNECTION_STRING", WithKey));
        var queue = services.CreateClients(services.With("SERVICEBUS_CONNECTION_STRING", WithKey));
        await using var sender = queue.CreateMessageSender("queue");
        await FailsAsync(FailureKind.Unauthorized, "not authorized for 'hub'", () => hub.GetEventHubPropertiesAsync(Token));
        await FailsAsync(FailureKind.Unauthorized, "not authorized for 'queue'", () => sender.SendAsync(Message(1), Token).AsTask());

        static string WithKey(string text) => text.Replace(MessagingConnectionString.Parse(text).Key!, "Y2FuYXJ5", StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task An_unreachable_host_is_named_with_the_time_it_was_tried()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var port = FreePort.Next();
        var settings = services.With(
            "SERVICEBUS_CONNECTION_STRING",
            text => text.Replace($":{MessagingConnectionString.Parse(text).EffectivePort}", $":{port}", StringComparison.Ordinal)
        );
        var impatient = EmulatedServices.ShortRetries with { UnreachableLimit = TimeSpan.FromMilliseconds(300) };
        var clients = services.CreateClients(settings, impatient);
        await using var sender = clients.CreateMessageSender("queue");
        await FailsAsync(FailureKind.Unreachable, $"service bus 127.0.0.1:{port} unreachable for 0.3 s", () => sender.SendAsync(Message(1), Token).AsTask());
    }

    [Fact(Timeout = Limit)]
    public async Task An_untrusted_certificate_is_refused_and_the_cause_is_named()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using var certificate = request.CreateSelfSigned(TimeProvider.System.GetUtcNow().AddDays(-1), TimeProvider.System.GetUtcNow().AddDays(1));
        await using var listener = AmqpListener.Start(new AmqpListenerOptions { ContainerId = "tls", Certificate = certificate }, static _ => new NoLinks());
        var settings = new MessagingSettings()
        {
            EventHub = MessagingConnectionString.Parse(
                $"Endpoint=sb://localhost:{listener.LocalEndPoint.Port};SharedAccessKeyName=Root;SharedAccessKey=Y2FuYXJ5"
            ),
            EventHubName = "hub",
        };
        var impatient = EmulatedServices.ShortRetries with { UnreachableLimit = TimeSpan.FromMilliseconds(300) };
        await using var clients = new BuiltInClients(settings, new BuiltInClientOptions { Retry = impatient });
        var failure = await Assert.ThrowsAsync<MessagingException>(() => clients.GetEventHubPropertiesAsync(Token));
        Assert.Equal(FailureKind.Unreachable, failure.Kind);
        Assert.StartsWith($"event hubs localhost:{listener.LocalEndPoint.Port} unreachable for 0.3 s: ", failure.Message, StringComparison.Ordinal);
        Assert.Contains("certificate", failure.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task A_message_over_the_limit_names_both_sizes()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var sender = services.CreateClients().CreateMessageSender("queue");
        var failure = await Assert.ThrowsAsync<MessagingException>(() => sender.SendAsync(Message(300_000), Token).AsTask());
        Assert.Equal(FailureKind.TooLarge, failure.Kind);
        Assert.Matches("^message of 300,0[0-9]{2} bytes exceeds the limit of 262,144$", failure.Message);
        await sender.SendAsync(Message(1), Token);
    }

    [Fact]
    public void Plain_connections_are_for_loopback_only()
    {
        var settings = new MessagingSettings()
        {
            EventHub = MessagingConnectionString.Parse(
                "Endpoint=sb://ns.example.net;SharedAccessKeyName=Root;SharedAccessKey=Y2FuYXJ5;UseDevelopmentEmulator=true"
            ),
            EventHubName = "hub",
        };
        var failure = Assert.Throws<MessagingException>(() => new BuiltInClients(settings, new BuiltInClientOptions()));
        Assert.Equal("UseDevelopmentEmulator is allowed for loopback hosts only, got 'ns.example.net'", failure.Message);
    }

    private sealed class NoLinks : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }

    private static OutgoingMessage Message(int size) => new() { MessageId = "m", Body = new byte[size] };
}
