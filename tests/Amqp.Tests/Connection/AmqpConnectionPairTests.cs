using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Two connections with no socket between them.</summary>
public sealed class AmqpConnectionPairTests
{
    private static readonly AmqpConnectionOptions Client = new() { Host = "memory", Port = 0 };

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(512u)]
    [InlineData(65_536u)]
    public async Task Messages_of_every_size_go_through_and_are_settled(uint frame)
    {
        ConcurrentQueue<ReadOnlyMemory<byte>> payloads = [];
        await using var pair = await OpenAsync(Client with { MaxFrameSize = frame }, new AmqpListenerOptions { MaxFrameSize = frame }, Collecting(payloads));
        var session = await pair.Client.BeginSessionAsync(new AmqpSessionOptions(), Cancelled);
        var sender = await session.AttachSenderAsync(Serving.To("s"), Cancelled);
        byte[][] sent = [.. Enumerable.Range(0, 100).Select(static number => Enumerable.Repeat((byte)number, number * number * 20).ToArray())];
        var outcomes = await Task.WhenAll(sent.Select(payload => sender.SendAsync(payload, 0, Cancelled).AsTask()));

        Assert.All(outcomes, static outcome => Assert.IsType<Accepted>(outcome));
        Assert.Equal(sent, payloads.Select(static payload => payload.ToArray()));
    }

    [Fact]
    public async Task Each_end_has_the_open_frame_of_its_peer_and_a_connection_in_memory_has_no_address()
    {
        await using var pair = await OpenAsync(
            Client with
            {
                ContainerId = "near",
                Sasl = new SaslCredential("user", "secret"),
            },
            new AmqpListenerOptions { ContainerId = "far" },
            new AnyLink()
        );

        Assert.Equal(("far", "near", "memory"), (pair.Client.RemoteOpen!.ContainerId, pair.Server.RemoteOpen!.ContainerId, pair.Server.RemoteOpen.HostName));
        Assert.Equal(new SaslIdentity(SaslMechanism.Plain, "user", "secret"), pair.Server.Sasl);
        Assert.Null(pair.Client.RemoteEndPoint);
    }

    [Fact]
    public async Task The_client_receives_the_error_with_which_the_server_closes()
    {
        await using var pair = await OpenAsync(Client, new AmqpListenerOptions(), new AnyLink());
        await pair.Server.CloseAsync(new AmqpError(ErrorCondition.ConnectionForced, "That is all."), Cancelled);
        Assert.Equal("That is all.", (await pair.Client.Completion)!.Description);
    }

    [Fact]
    public async Task A_peer_that_fails_authentication_is_refused_with_unauthorized_access()
    {
        var refusal = await Assert.ThrowsAsync<AmqpException>(() =>
            OpenAsync(Client, new AmqpListenerOptions { Authenticate = static _ => false }, new AnyLink())
        );
        Assert.Equal(ErrorCondition.UnauthorizedAccess, refusal.Error.Condition.Value);
    }

    private static Acceptor Collecting(ConcurrentQueue<ReadOnlyMemory<byte>> payloads) => new Acceptor(Serving.Collect(payloads, 10));

    private static Task<AmqpConnectionPair> OpenAsync(AmqpConnectionOptions client, AmqpListenerOptions server, ILinkAcceptor acceptor) =>
        AmqpConnectionPair.OpenAsync(client, server, _ => acceptor, Cancelled);

    private sealed class Acceptor(Func<LinkRequest, Task> serve) : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            _ = serve(request).ContinueWith(static ended => ended.Exception, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
            return ValueTask.CompletedTask;
        }
    }
}
