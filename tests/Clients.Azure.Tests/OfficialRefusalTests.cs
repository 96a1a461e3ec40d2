using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.Amqp;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>What the packages throw, in the clients' words.</summary>
public sealed class OfficialRefusalTests : EmulatedTests
{
    [Fact(Timeout = Limit)]
    public async Task An_unknown_queue_is_named()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(OfficialClients.Family);
        await using var sender = clients.CreateMessageSender("nowhere");
        await using var receiver = clients.CreateMessageReceiver("nowhere", new MessageReceiverOptions());
        await FailsAsync(FailureKind.NotFound, "queue or topic 'nowhere' not found", () => sender.SendAsync(Message(1), Token).AsTask());
        await FailsAsync(FailureKind.NotFound, "queue or topic 'nowhere' not found", () => receiver.ReceiveAsync(1, TimeSpan.FromSeconds(10), Token));
    }

    [Fact(Timeout = Limit)]
    public async Task A_wrong_key_is_not_authorised_and_not_shown()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(
            OfficialClients.Family,
            services.With(
                "SERVICEBUS_CONNECTION_STRING",
                text => text.Replace(MessagingConnectionString.Parse(text).Key!, "Y2FuYXJ5", StringComparison.Ordinal)
            )
        );
        await using var sender = clients.CreateMessageSender("queue");
        await FailsAsync(FailureKind.Unauthorized, "not authorized for 'queue'", () => sender.SendAsync(Message(1), Token).AsTask());
    }

    [Theory(Timeout = Limit)]
    [InlineData("send")]
    [InlineData("read")]
    [InlineData("buffer")]
    public async Task Every_operation_on_an_unreachable_event_hub_names_host_and_port(string operation)
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var port = FreePort.Next();
        var settings = services.With(
            "EVENTHUB_CONNECTION_STRING",
            text => text.Replace($":{MessagingConnectionString.Parse(text).EffectivePort}", $":{port}", StringComparison.Ordinal)
        );
        var clients = services.Connect(OfficialClients.Family, settings, RetryOptions.Once with { UnreachableLimit = TimeSpan.FromMilliseconds(300) });
        await using var writer = clients.CreateEventHubWriter();
        await using var buffered = clients.CreateBufferedEventWriter();
        MessagingException failure;
        List<MessagingException> failures = [];
        do
        {
            failure = await Assert.ThrowsAsync<MessagingException>(async () =>
            {
                if (operation == "send")
                {
                    await writer.CreateBatchAsync(null, null, Token);
                }
                else if (operation == "read")
                {
                    await foreach (var _ in clients.ReadPartitionAsync("0", -1, 1, Token)) { }
                }
                else
                {
                    await buffered.AddAsync(new OutgoingEvent { Body = new byte[1] }, null, static _ => { }, Token);
                }
            });
            failures.Add(failure);
        } while (failure.Kind == FailureKind.Unconnected);

        Assert.Equal((FailureKind.Unreachable, $"event hubs 127.0.0.1:{port} unreachable for 0.3 s"), (failure.Kind, failure.Message));
        Assert.All(failures[..^1], one => Assert.Equal($"no connection to event hubs 127.0.0.1:{port} (ConnectionRefused)", one.Message));
    }

    [Fact(Timeout = Limit)]
    public async Task A_host_out_of_reach_is_named_first_as_unconnected_and_after_the_limit_as_unreachable()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var port = FreePort.Next();
        var settings = services.With(
            "SERVICEBUS_CONNECTION_STRING",
            text => text.Replace($":{MessagingConnectionString.Parse(text).EffectivePort}", $":{port}", StringComparison.Ordinal)
        );
        var clients = services.Connect(OfficialClients.Family, settings, RetryOptions.Once with { UnreachableLimit = TimeSpan.FromMilliseconds(300) });
        await using var sender = clients.CreateMessageSender("queue");
        MessagingException failure;
        List<FailureKind> kinds = [];
        do
        {
            failure = await Assert.ThrowsAsync<MessagingException>(() => sender.SendAsync(Message(1), Token).AsTask());
            kinds.Add(failure.Kind);
        } while (failure.Kind == FailureKind.Unconnected);

        Assert.Equal(FailureKind.Unreachable, kinds[^1]);
        Assert.Equal($"service bus 127.0.0.1:{port} unreachable for 0.3 s", failure.Message);
    }

    [Theory(Timeout = Limit)]
    [InlineData("event hubs")]
    [InlineData("service bus")]
    public async Task An_untrusted_certificate_is_named_when_the_service_stays_unreachable(string service)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using var certificate = request.CreateSelfSigned(TimeProvider.System.GetUtcNow().AddDays(-1), TimeProvider.System.GetUtcNow().AddDays(1));
        await using var listener = AmqpListener.Start(new AmqpListenerOptions { ContainerId = "tls", Certificate = certificate }, static _ => new NoLinks());
        await using var services = await EmulatedServices.StartAsync(Token);
        var connection = MessagingConnectionString.Parse(
            $"Endpoint=sb://localhost:{listener.LocalEndPoint.Port};SharedAccessKeyName=Root;SharedAccessKey=Y2FuYXJ5"
        );
        var clients = services.Connect(
            OfficialClients.Family,
            services.Settings with
            {
                EventHub = connection,
                ServiceBus = connection,
            },
            RetryOptions.Once with
            {
                UnreachableLimit = TimeSpan.FromMilliseconds(300),
            }
        );
        await using var sender = clients.CreateMessageSender("queue");

        MessagingException failure;
        do
        {
            failure = await Assert.ThrowsAsync<MessagingException>(() =>
                service == "event hubs" ? clients.GetEventHubPropertiesAsync(Token) : sender.SendAsync(Message(1), Token).AsTask()
            );
        } while (failure.Kind != FailureKind.Unreachable);

        Assert.StartsWith($"{service} localhost:{listener.LocalEndPoint.Port} unreachable for 0.3 s: ", failure.Message, StringComparison.Ordinal);
        Assert.Contains("certificate", failure.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task An_event_hub_that_does_not_answer_is_named_with_its_address()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var server = $"127.0.0.1:{((IPEndPoint)silent.LocalEndpoint).Port}";
        await using var services = await EmulatedServices.StartAsync(Token);
        var clients = services.Connect(
            OfficialClients.Family,
            services.Settings with
            {
                EventHub = MessagingConnectionString.Parse($"Endpoint=sb://{server};SharedAccessKeyName=Root;SharedAccessKey=Y2FuYXJ5"),
            },
            RetryOptions.Once with
            {
                TryTimeout = TimeSpan.FromSeconds(1),
            }
        );

        await FailsAsync(
            FailureKind.Transient,
            $"event hub 'hub': no answer from event hubs {server} in time",
            () => clients.GetEventHubPropertiesAsync(Token)
        );
    }

    [Fact(Timeout = Limit)]
    public async Task A_processor_ends_and_reports_how_long_its_event_hub_was_unreachable()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var hubs = new CuttableProxy(services.Settings.EventHub.EffectivePort);
        var limit = TimeSpan.FromMilliseconds(300);
        var clients = services.Connect(
            OfficialClients.Family,
            services.Through(("EVENTHUB_CONNECTION_STRING", hubs)),
            RetryOptions.Once with
            {
                UnreachableLimit = limit,
            }
        );
        await SendAsync(services.CreateClients(), "0", 1);
        var recorder = new RecordingPartitions();
        var processing = clients.CreateProcessor(Quick("one") with { UnreachableLimit = limit }, recorder.OpenHandler).RunAsync(Token);
        await recorder.UntilCountAsync(1, Token);
        hubs.Cut(refuse: true);

        var failure = await Assert.ThrowsAsync<MessagingException>(() => processing);
        Assert.Equal(FailureKind.Unreachable, failure.Kind);
        Assert.StartsWith("event hub 'hub': ", failure.Message, StringComparison.Ordinal);
        Assert.EndsWith(", unreachable for 0.3 s", failure.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task A_message_over_the_limit_is_too_large()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var sender = services.Connect(OfficialClients.Family).CreateMessageSender("queue");
        var failure = await Assert.ThrowsAsync<MessagingException>(() => sender.SendAsync(Message(300_000), Token).AsTask());
        Assert.Equal(FailureKind.TooLarge, failure.Kind);
        var batch = await Assert.ThrowsAsync<MessagingException>(() =>
            sender.SendBatchAsync([.. Enumerable.Range(0, 50).Select(static _ => Message(50_000))], Token).AsTask()
        );
        Assert.Equal(FailureKind.TooLarge, batch.Kind);
        await sender.SendAsync(Message(1), Token);
    }

    [Fact(Timeout = Limit)]
    public async Task A_call_that_its_caller_cancels_ends_as_cancelled()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await using var receiver = services.Connect(OfficialClients.Family).CreateMessageReceiver("queue", new MessageReceiverOptions());
        using var caller = new CancellationTokenSource();
        Task waiting = receiver.ReceiveAsync(1, TimeSpan.FromMinutes(1), caller.Token);
        await caller.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }

    private sealed class NoLinks : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }

    private static OutgoingMessage Message(int size) => new() { MessageId = "m", Body = new byte[size] };
}
