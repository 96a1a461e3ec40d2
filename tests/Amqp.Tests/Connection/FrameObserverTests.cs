using System.Collections.Concurrent;
using System.Net;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>An observer of a connection sees each frame of it once, in the order of the wire, from the first header on.</summary>
public sealed class FrameObserverTests
{
    private const string Body = "the body of a message";

    [Fact]
    public async Task Both_ends_see_the_same_frames_in_the_same_order()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        List<RecordingObserver> ofClient = [];
        List<RecordingObserver> ofListener = [];
        ConcurrentQueue<ReadOnlyMemory<byte>> payloads = [];
        await using (
            var pair = await LoopbackPair.StartAsync(
                Serving.Collect(payloads, prefetch: 100),
                cancellationToken,
                new AmqpListenerOptions { MaxFrameSize = 1024, FrameObserver = RecordingObserver.To(ofListener) },
                options => options with { FrameObserver = RecordingObserver.To(ofClient), Sasl = new SaslCredential("user", "password!") }
            )
        )
        {
            var session = await pair.BeginAsync(cancellationToken);
            var sender = await session.AttachSenderAsync(Serving.To("link"), cancellationToken);
            await sender.SendAsync(System.Text.Encoding.UTF8.GetBytes(Body + new string('.', 3000)), 0, cancellationToken);
            await sender.Session.EndAsync(null, cancellationToken);
        }

        var client = Assert.Single(ofClient);
        var listener = Assert.Single(ofListener);
        Assert.NotNull(client.Peer);
        Assert.Equal(client.Lines(FrameDirection.Sent), listener.Lines(FrameDirection.Received));
        Assert.Equal(client.Lines(FrameDirection.Received), listener.Lines(FrameDirection.Sent));
        var sent = client.Lines(FrameDirection.Sent);
        Assert.Equal(
            [
                "SASL 1.0.0",
                "sasl-init",
                "AMQP 1.0.0",
                "[0] open",
                "[0] begin",
                "[0] attach",
                "[0] transfer",
                "[0] transfer",
                "[0] transfer",
                "[0] transfer",
                "[0] end",
                "[0] close",
            ],
            sent.Select(static line => line.Split('(')[0])
        );
        Assert.DoesNotContain(
            [.. sent, .. listener.Lines(FrameDirection.Sent)],
            static line => line.Contains("password", StringComparison.Ordinal) || line.Contains("body of", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task Settlements_that_are_joined_are_seen_as_the_one_frame_that_they_become()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        List<RecordingObserver> ofListener = [];
        List<RecordingObserver> ofClient = [];
        await using (
            var pair = await LoopbackPair.StartAsync(
                Serving.Collect([], prefetch: 1000),
                cancellationToken,
                new AmqpListenerOptions { FrameObserver = RecordingObserver.To(ofListener) },
                options => options with { FrameObserver = RecordingObserver.To(ofClient) }
            )
        )
        {
            var session = await pair.BeginAsync(cancellationToken);
            var sender = await session.AttachSenderAsync(Serving.To("link"), cancellationToken);
            await Task.WhenAll(Enumerable.Range(0, 500).Select(_ => sender.SendAsync(new byte[10], 0, cancellationToken).AsTask()));
        }

        Assert.Equal(Assert.Single(ofListener).Lines(FrameDirection.Sent), Assert.Single(ofClient).Lines(FrameDirection.Received));
    }

    [Fact]
    public async Task A_connection_that_is_not_to_be_observed_costs_its_observer_nothing_more_than_the_question()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var asked = 0;
        await using var pair = await LoopbackPair.StartAsync(
            Serving.Accept,
            cancellationToken,
            client: options =>
                options with
                {
                    FrameObserver = _ =>
                    {
                        asked++;
                        return null;
                    },
                }
        );
        await pair.BeginAsync(cancellationToken);
        Assert.Equal(1, asked);
    }

    private sealed class RecordingObserver(EndPoint? peer) : IFrameObserver
    {
        private readonly ConcurrentQueue<(FrameDirection Direction, string Text)> seen = [];

        public EndPoint? Peer => peer;

        public static Func<EndPoint?, IFrameObserver?> To(List<RecordingObserver> observers) =>
            peer =>
            {
                var made = new RecordingObserver(peer);
                observers.Add(made);
                return made;
            };

        public string[] Lines(FrameDirection direction) => [.. seen.Where(one => one.Direction == direction).Select(one => one.Text)];

        public void Saw(FrameDirection direction, ProtocolHeader header) => seen.Enqueue((direction, FrameText.Of(header)));

        public void Saw(FrameDirection direction, in Frame frame) => seen.Enqueue((direction, FrameText.Of(frame)));
    }
}
