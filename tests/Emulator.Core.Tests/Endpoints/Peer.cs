using System.Collections.Concurrent;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

/// <summary>A client of bare frames: what the official clients do, without their manners.</summary>
internal sealed class Peer : IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, (AmqpSender Requests, AmqpReceiver Answers)> _nodes = new();
    private readonly MessagingConnectionString _settings;
    private int _lastId;

    private Peer(AmqpConnection connection, MessagingConnectionString settings)
    {
        Connection = connection;
        _settings = settings;
    }

    public AmqpConnection Connection { get; }

    private static CancellationToken Cancellation => Xunit.TestContext.Current.CancellationToken;

    public static async Task<Peer> ConnectAsync(
        string connectionString,
        SaslCredential? sasl = null,
        Func<AmqpConnectionOptions, AmqpConnectionOptions>? with = null
    )
    {
        var settings = MessagingConnectionString.Parse(connectionString);
        var options = new AmqpConnectionOptions
        {
            Host = settings.Host,
            Port = settings.EffectivePort,
            Sasl = sasl,
        };
        options = with?.Invoke(options) ?? options;
        return new Peer(await AmqpConnection.ConnectAsync(options, Cancellation), settings);
    }

    public ValueTask DisposeAsync() => Connection.DisposeAsync();

    public string Audience(string path) => $"sb://{_settings.Host}:{_settings.EffectivePort}/{path}";

    public string Token(string path, TimeSpan? life = null) =>
        SasToken.Create(Audience(path), _settings.KeyName!, _settings.Key!, TimeProvider.System.GetUtcNow() + (life ?? TimeSpan.FromMinutes(10)));

    /// <summary>Puts a token and returns the status code of the answer.</summary>
    public async Task<int> PutTokenAsync(string path, string? token = null, bool likeDotNet = true)
    {
        var properties = new AmqpMap
        {
            { "operation", "put-token" },
            { "type", "servicebus.windows.net:sastoken" },
            { "name", Audience(path) },
        };
        var answer = await RequestAsync("$cbs", properties, MessageBody.OfValue(token ?? Token(path)), likeDotNet);
        return (int)answer.ApplicationProperties!["status-code"]!;
    }

    /// <summary>Sends a request in the .NET shape (settled, addressed reply) or the JavaScript one (unsettled, reply by link name).</summary>
    public async Task<AmqpMessage> RequestAsync(string address, AmqpMap properties, MessageBody body, bool likeDotNet = true)
    {
        if (!_nodes.TryGetValue(address, out var node))
        {
            node = await OpenNodeAsync(address, likeDotNet);
            _nodes[address] = node;
        }

        var id = $"request{Interlocked.Increment(ref _lastId)}";
        var replyTo = likeDotNet ? node.Answers.LocalAttach.Target!.Address : node.Answers.Name;
        var request = new AmqpMessage
        {
            Properties = new MessageProperties { MessageId = id, ReplyTo = replyTo },
            ApplicationProperties = properties,
            Body = body,
        };
        if (likeDotNet)
        {
            await node.Requests.TransferAsync(new(request.Encode()), new OutgoingTransfer { Settled = true }, Cancellation);
        }
        else
        {
            Xunit.Assert.IsType<Accepted>(await node.Requests.SendAsync(request.Encode(), 0, Cancellation));
        }

        var answer = AmqpMessage.Decode((await node.Answers.ReceiveAsync(Cancellation)).Payload);
        Xunit.Assert.Equal(id, answer.Properties!.CorrelationId);
        return answer;
    }

    public async Task<AmqpSession> SessionAsync() => await Connection.BeginSessionAsync(new AmqpSessionOptions(), Cancellation);

    /// <summary>A producer's link.</summary>
    public async Task<AmqpSender> SenderAsync(string address)
    {
        var session = await SessionAsync();
        return await session.AttachSenderAsync(
            new Attach
            {
                Name = $"{address}-{Guid.NewGuid():N}",
                Source = new Source { Address = "client" },
                Target = new Target { Address = address },
            },
            Cancellation
        );
    }

    /// <summary>A consumer's link.</summary>
    public async Task<AmqpReceiver> ReceiverAsync(
        string address,
        uint credit,
        SenderSettleMode? sender = SenderSettleMode.Settled,
        ReceiverSettleMode? receiver = null,
        AmqpMap? filter = null,
        AmqpMap? properties = null,
        DeliveryState? defaultOutcome = null,
        params AmqpSymbol[] capabilities
    )
    {
        var session = await SessionAsync();
        var attach = new Attach
        {
            Name = $"{address}-{Guid.NewGuid():N}",
            Source = new Source
            {
                Address = address,
                Filter = filter,
                DefaultOutcome = defaultOutcome,
            },
            Target = new Target { Address = "client" },
            SndSettleMode = sender,
            RcvSettleMode = receiver,
            Properties = properties,
            DesiredCapabilities = capabilities.Length == 0 ? null : capabilities,
        };
        return await session.AttachReceiverAsync(attach, credit, Cancellation);
    }

    private async Task<(AmqpSender Requests, AmqpReceiver Answers)> OpenNodeAsync(string address, bool likeDotNet)
    {
        var session = await SessionAsync();
        var name = $"{Guid.NewGuid():N}";
        SenderSettleMode? mode = likeDotNet ? SenderSettleMode.Settled : null;
        var requests = await session.AttachSenderAsync(
            new Attach
            {
                Name = $"{name}:sender",
                SndSettleMode = mode,
                Source = new Source(),
                Target = new Target { Address = address },
            },
            Cancellation
        );
        var answers = await session.AttachReceiverAsync(
            new Attach
            {
                Name = $"{name}:receiver",
                SndSettleMode = mode,
                Source = new Source { Address = address },
                Target = new Target { Address = likeDotNet ? name : null },
            },
            50,
            Cancellation
        );
        return (requests, answers);
    }
}
