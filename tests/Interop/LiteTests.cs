using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using Xunit;
using Lite = global::Amqp;

namespace EventHubThroughput.Interop;

/// <summary>AMQPNetLite as a plain AMQP client in this process. Every flow has a separate hub and queue, both named like the flow.</summary>
public sealed class LiteTests(FlowRuns runs) : FlowTests(runs, Group)
{
    // Hubs and queues share the TLS port. This queue has no hub of its name.
    private const string Encrypted = "encrypted";

    private static readonly TimeSpan Wait = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(300);

    internal static FlowGroup Group { get; } = new(typeof(LiteTests), FlowClient.Lite, RunAsync);

    [Fact, Feature(Features.Send)]
    public Task A_plain_client_sends_and_reads_events() => PassesAsync();

    [Fact, Feature(Features.Send)]
    public Task A_thousand_events_are_sent_concurrently_and_arrive_in_order() => PassesAsync();

    [Fact, Feature(Features.Sizes)]
    public Task A_message_crosses_many_small_frames_both_ways() => PassesAsync();

    [Fact, Feature(Features.MessageSend)]
    public Task A_message_is_sent_and_received_over_tls() => PassesAsync();

    [Fact, Feature(Features.Outcomes)]
    public Task Accept_release_modify_and_reject_do_what_they_say() => PassesAsync();

    [Fact, Feature(Features.Drain)]
    public Task Drain_gives_what_there_is_and_takes_the_credit_back() => PassesAsync();

    [Fact, Feature(Features.HubErrors)]
    public Task A_link_to_nowhere_is_refused_and_the_connection_stays() => PassesAsync();

    private static async Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken)
    {
        var entities = EntitySet.Default with
        {
            Hubs = [.. group.Flows.Select(static flow => new HubSettings(flow.Flow))],
            Queues = [.. group.Flows.Select(static flow => new QueueSettings(flow.Flow)), new QueueSettings(Encrypted)],
        };
        await using var emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = entities, TlsPort = 0 }, cancellationToken);
        return await FlowReport.RunAsync([
            (nameof(A_plain_client_sends_and_reads_events), () => Events(emulator, nameof(A_plain_client_sends_and_reads_events), 5)),
            (
                nameof(A_thousand_events_are_sent_concurrently_and_arrive_in_order),
                () => Events(emulator, nameof(A_thousand_events_are_sent_concurrently_and_arrive_in_order), 1_000)
            ),
            (nameof(A_message_crosses_many_small_frames_both_ways), () => Frames(emulator, nameof(A_message_crosses_many_small_frames_both_ways))),
            (nameof(A_message_is_sent_and_received_over_tls), () => Tls(emulator)),
            (nameof(Accept_release_modify_and_reject_do_what_they_say), () => Outcomes(emulator, nameof(Accept_release_modify_and_reject_do_what_they_say))),
            (nameof(Drain_gives_what_there_is_and_takes_the_credit_back), () => Drain(emulator, nameof(Drain_gives_what_there_is_and_takes_the_credit_back))),
            (nameof(A_link_to_nowhere_is_refused_and_the_connection_stays), () => Nowhere(emulator)),
        ]);
    }

    private static async Task Events(EmulatorHost emulator, string hub, int count)
    {
        await using var peer = await LitePeer.ConnectAsync(emulator.Settings["EVENTHUB_CONNECTION_STRING"]);
        Lite.SenderLink sender = new(peer.Session, "sender", $"{hub}/Partitions/1");
        await Task.WhenAll(Enumerable.Range(0, count).Select(number => sender.SendAsync(GetMessage(BitConverter.GetBytes(number)), Wait)));

        Lite.ReceiverLink receiver = new(peer.Session, "receiver", $"{hub}/ConsumerGroups/$Default/Partitions/1");
        receiver.SetCredit(50);
        for (var number = 0; number < count; number++)
        {
            var message = await receiver.ReceiveAsync(Wait);
            Assert.Equal(
                (number, (long)number),
                (BitConverter.ToInt32(GetBody(message)), message.MessageAnnotations[new Lite.Types.Symbol("x-opt-sequence-number")])
            );
            receiver.Accept(message);
        }
    }

    private static async Task Frames(EmulatorHost emulator, string hub)
    {
        await using var peer = await LitePeer.ConnectAsync(
            emulator.Settings["EVENTHUB_CONNECTION_STRING"],
            static factory => factory.AMQP.MaxFrameSize = 4_096
        );
        var body = RandomNumberGenerator.GetBytes(300_000);
        await new Lite.SenderLink(peer.Session, "sender", $"{hub}/Partitions/0").SendAsync(GetMessage(body), Wait);

        var message = await new Lite.ReceiverLink(peer.Session, "receiver", $"{hub}/ConsumerGroups/$Default/Partitions/0").ReceiveAsync(Wait);
        Assert.True(body.AsSpan().SequenceEqual(GetBody(message)));
    }

    private static async Task Tls(EmulatorHost emulator)
    {
        using var trusted = X509CertificateLoader.LoadCertificateFromFile(emulator.Settings["EMULATOR_TLS_CERTIFICATE"]);
        await using var peer = await LitePeer.ConnectAsync(
            emulator.Settings["EMULATOR_TLS_CONNECTION_STRING"],
            factory => factory.SSL.RemoteCertificateValidationCallback = (_, shown, _, _) => shown!.GetCertHashString() == trusted.GetCertHashString()
        );
        await new Lite.SenderLink(peer.Session, "sender", Encrypted).SendAsync(GetMessage([7]), Wait);
        Lite.ReceiverLink receiver = new(peer.Session, "receiver", Encrypted);
        var message = await receiver.ReceiveAsync(Wait);
        Assert.Equal([7], GetBody(message));
        receiver.Accept(message);
    }

    private static async Task Outcomes(EmulatorHost emulator, string queue)
    {
        await using var peer = await LitePeer.ConnectAsync(emulator.Settings["SERVICEBUS_CONNECTION_STRING"]);
        Lite.SenderLink sender = new(peer.Session, "sender", queue);
        foreach (var id in new[] { "accept", "release", "modify", "reject" })
        {
            await sender.SendAsync(GetMessage([1], id), Wait);
        }

        Lite.ReceiverLink receiver = new(peer.Session, "receiver", queue);
        receiver.SetCredit(4, Lite.CreditMode.Manual);
        List<Lite.Message> first = [];
        while (first.Count < 4)
        {
            first.Add(await receiver.ReceiveAsync(Wait));
        }

        receiver.Accept(first[0]);
        receiver.Release(first[1]);
        receiver.Modify(first[2], deliveryFailed: true, undeliverableHere: false, messageAnnotations: null);
        receiver.Reject(first[3], new Lite.Framing.Error(new Lite.Types.Symbol("com.microsoft:dead-letter")));

        receiver.SetCredit(2, Lite.CreditMode.Manual);
        Dictionary<string, uint> again = [];
        while (again.Count < 2)
        {
            var message = await receiver.ReceiveAsync(Wait);
            again.Add(message.Properties.MessageId, message.Header.DeliveryCount);
            receiver.Accept(message);
        }

        Assert.Equal((0u, 1u), (again["release"], again["modify"]));
        Lite.ReceiverLink dead = new(peer.Session, "dead", $"{queue}/$DeadLetterQueue");
        Assert.Equal("reject", (await dead.ReceiveAsync(Wait)).Properties.MessageId);
    }

    private static async Task Drain(EmulatorHost emulator, string queue)
    {
        await using var peer = await LitePeer.ConnectAsync(emulator.Settings["SERVICEBUS_CONNECTION_STRING"]);
        Lite.SenderLink sender = new(peer.Session, "sender", queue);
        await sender.SendAsync(GetMessage([1], "only"), Wait);

        Lite.ReceiverLink receiver = new(peer.Session, "receiver", queue);
        receiver.SetCredit(10, Lite.CreditMode.Drain);
        var only = await receiver.ReceiveAsync(Wait);
        Assert.Equal("only", only.Properties.MessageId);
        receiver.Accept(only);

        // Nothing is left: the credit comes back instead of a message, and what is sent later has none.
        Assert.Null(await receiver.ReceiveAsync(Wait));
        await sender.SendAsync(GetMessage([1], "later"), Wait);
        Assert.Null(await receiver.ReceiveAsync(Moment));
    }

    private static async Task Nowhere(EmulatorHost emulator)
    {
        await using var peer = await LitePeer.ConnectAsync(emulator.Settings["EVENTHUB_CONNECTION_STRING"]);
        Lite.SenderLink sender = new(peer.Session, "sender", "no-such-hub");
        var refusal = await Assert.ThrowsAsync<Lite.AmqpException>(() => sender.SendAsync(GetMessage([1]), Wait));
        Assert.Equal(Lite.ErrorCode.NotFound, (string)refusal.Error.Condition);
        Assert.Contains("no-such-hub", refusal.Error.Description, StringComparison.Ordinal);
        Assert.False(peer.Session.IsClosed);
    }

    private static Lite.Message GetMessage(byte[] body, string? id = null) =>
        new()
        {
            Properties = new Lite.Framing.Properties { MessageId = id },
            BodySection = new Lite.Framing.Data { Binary = body },
        };

    private static byte[] GetBody(Lite.Message message) => ((Lite.Framing.Data)message.BodySection).Binary;

    /// <summary>A connection with a session, logged in by SASL PLAIN with the key's name and key.</summary>
    private sealed class LitePeer : IAsyncDisposable
    {
        private readonly Lite.Connection connection;

        private LitePeer(Lite.Connection connection)
        {
            this.connection = connection;
            Session = new Lite.Session(connection);
        }

        public Lite.Session Session { get; }

        public static async Task<LitePeer> ConnectAsync(string connectionString, Action<Lite.ConnectionFactory>? adjust = null)
        {
            var address = MessagingConnectionString.Parse(connectionString);
            Lite.ConnectionFactory factory = new();
            adjust?.Invoke(factory);
            var scheme = address.UseDevelopmentEmulator ? "amqp" : "amqps";
            return new LitePeer(
                await factory
                    .CreateAsync(new Lite.Address(address.Host, address.EffectivePort, address.KeyName, address.Key, "/", scheme))
                    .WaitAsync(Wait, TimeProvider.System)
            );
        }

        public async ValueTask DisposeAsync() => await connection.CloseAsync(Wait, null);
    }
}
