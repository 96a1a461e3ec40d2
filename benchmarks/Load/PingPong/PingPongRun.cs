using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.PingPong;

/// <summary>
/// A requester and a replier, connected in memory. Every request and reply is an unsettled message with an empty body, and is accepted. Each side has at
/// most 64 sends in flight. A wrong number of replies or other bytes is an error.
/// </summary>
internal sealed class PingPongRun : IAsyncDisposable
{
    private const uint Credit = 64;
    private const string Requests = "requests";
    private const string Replies = "replies";

    /// <summary>A data section of no bytes.</summary>
    public static readonly byte[] Message = [0x00, 0x53, 0x75, 0xa0, 0x00];

    private readonly AmqpConnectionPair pair;
    private readonly AmqpSender requests;
    private readonly AmqpReceiver replies;
    private readonly Replier replier;

    private PingPongRun(AmqpConnectionPair pair, AmqpSender requests, AmqpReceiver replies, Replier replier)
    {
        this.pair = pair;
        this.requests = requests;
        this.replies = replies;
        this.replier = replier;
    }

    public static async Task<PingPongRun> StartAsync(CancellationToken cancellationToken)
    {
        var answering = new Replier();
        var joined = await AmqpConnectionPair.OpenAsync(
            new AmqpConnectionOptions
            {
                Host = "memory",
                Port = 0,
                UseTls = false,
            },
            new AmqpListenerOptions(),
            _ => answering,
            cancellationToken
        );
        var session = await joined.Client.BeginSessionAsync(new AmqpSessionOptions(), cancellationToken);
        var incoming = await session.AttachReceiverAsync(
            new Attach
            {
                Name = Replies,
                Role = LinkRole.Receiver,
                Source = new Source { Address = Replies },
                Target = new Target { Address = "here" },
            },
            0,
            cancellationToken
        );
        incoming.SetPrefetch(Credit);
        var outgoing = await session.AttachSenderAsync(
            new Attach
            {
                Name = Requests,
                Role = LinkRole.Sender,
                Source = new Source { Address = "here" },
                Target = new Target { Address = Requests },
            },
            cancellationToken
        );
        return new PingPongRun(joined, outgoing, incoming, answering);
    }

    /// <summary>Performs a number of round trips.</summary>
    /// <exception cref="FailureException">A reply is missing, duplicate or wrong.</exception>
    public async Task RunAsync(int count, CancellationToken cancellationToken)
    {
        var before = replier.Replied;
        var receiving = ReceiveAsync(count, cancellationToken);
        var sends = new OutstandingSends(requests, Message, Credit);
        for (var sent = 0; sent < count; sent++)
        {
            AmqpCommand.Expect(await sends.Oldest is Accepted);
            sends.Send(cancellationToken);
        }

        await sends.EndAsync();
        await receiving;
        var replied = replier.Replied - before;
        if (replied != count || replies.TryReceive(out _))
        {
            throw new FailureException(FailureCause.Verification, $"{count:N0} requests, {replied:N0} replies");
        }
    }

    public ValueTask DisposeAsync() => pair.DisposeAsync();

    private static void Check(IncomingDelivery delivery)
    {
        if (!delivery.Payload.Span.SequenceEqual(Message))
        {
            throw new FailureException(FailureCause.Verification, $"a message of {delivery.Payload.Length:N0} bytes is not what was sent");
        }
    }

    private async Task ReceiveAsync(int count, CancellationToken cancellationToken)
    {
        for (var received = 0; received < count; received++)
        {
            var reply = await replies.ReceiveAsync(cancellationToken);
            Check(reply);
            replies.Settle(reply, Accepted.Instance);
        }
    }

    // Its two links are attached one after the other. The link of requests begins to work when both are attached.
    private sealed class Replier : ILinkAcceptor
    {
        private readonly TaskCompletionSource<AmqpSender> sender = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private long replied;

        public long Replied => Interlocked.Read(ref replied);

        public async ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            if (!request.PeerIsSender)
            {
                sender.SetResult(request.AcceptSender(new LinkAnswer()));
                return;
            }

            var requests = request.AcceptReceiver(new LinkAnswer(), 0);
            requests.SetPrefetch(Credit);
            var sends = new OutstandingSends(await sender.Task, Message, Credit);
            try
            {
                while (true)
                {
                    var delivery = await requests.ReceiveAsync(cancellationToken);
                    Check(delivery);
                    requests.Settle(delivery, Accepted.Instance);
                    Interlocked.Increment(ref replied);
                    AmqpCommand.Expect(await sends.Oldest is Accepted);
                    sends.Send(cancellationToken);
                }
            }
            catch (AmqpException)
            {
                // The requester has disconnected.
            }
        }
    }
}
