using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

public sealed class ConnectionTests
{
    [Fact]
    public async Task A_refused_connection_names_host_and_port()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        int port;
        using (var socket = RawPeer.Listen())
        {
            port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        }

        var error = await Assert.ThrowsAsync<AmqpException>(() =>
            AmqpConnection.ConnectAsync(new AmqpConnectionOptions { Host = "127.0.0.1", Port = port }, cancellationToken)
        );
        Assert.Equal(AmqpErrorScope.Transport, error.Scope);
        Assert.Contains($"127.0.0.1:{port}", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_that_does_not_exist_is_named()
    {
        var error = await Assert.ThrowsAsync<AmqpException>(() =>
            AmqpConnection.ConnectAsync(new AmqpConnectionOptions { Host = "no-such-host.invalid", Port = 5672 }, TestContext.Current.CancellationToken)
        );
        Assert.Equal(AmqpErrorScope.Transport, error.Scope);
        Assert.Contains("no-such-host.invalid:5672", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Open_carries_what_the_options_say()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            Serving.Accept,
            cancellationToken,
            new AmqpListenerOptions { ContainerId = "the-listener" },
            options => options with { ContainerId = "the-client", HostName = "virtual", IdleTimeout = TimeSpan.FromSeconds(45), ChannelMax = 9 }
        );
        Assert.Equal("the-listener", pair.Client.RemoteOpen!.ContainerId);
        Assert.Equal(
            (65_536u, (ushort)255, 240_000u),
            (pair.Client.RemoteOpen.MaxFrameSize, pair.Client.RemoteOpen.ChannelMax, pair.Client.RemoteOpen.IdleTimeout!.Value)
        );
        var seen = pair.Server.RemoteOpen!;
        Assert.Equal(("the-client", "virtual", 45_000u, (ushort)9), (seen.ContainerId, seen.HostName, seen.IdleTimeout!.Value, seen.ChannelMax));
    }

    [Theory]
    [InlineData(null, "MSSBCBS")]
    [InlineData("secret", "PLAIN")]
    public async Task The_listener_sees_the_identity_of_the_client(string? password, string mechanism)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(
            Serving.Accept,
            cancellationToken,
            client: options => options with { Sasl = password is null ? null : new SaslCredential("me", password) }
        );
        Assert.Equal((mechanism, password), (pair.Server.Sasl!.Mechanism, pair.Server.Sasl.Password));
        Assert.DoesNotContain("secret", pair.Server.Sasl.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_takes_anonymous_when_nothing_better_is_offered()
    {
        await using var pair = await LoopbackPair.StartAsync(
            Serving.Accept,
            TestContext.Current.CancellationToken,
            new AmqpListenerOptions { SaslMechanisms = [SaslMechanism.Plain, SaslMechanism.Anonymous] }
        );
        Assert.Equal(SaslMechanism.Anonymous, pair.Server.Sasl!.Mechanism);
    }

    [Fact]
    public async Task A_client_that_is_not_let_in_fails_without_showing_its_password()
    {
        var error = await Assert.ThrowsAsync<AmqpException>(() =>
            LoopbackPair.StartAsync(
                Serving.Accept,
                TestContext.Current.CancellationToken,
                new AmqpListenerOptions { Authenticate = identity => identity.Password == "right" },
                options => options with { Sasl = new SaslCredential("me", "wrong-secret") }
            )
        );
        Assert.Equal(AmqpErrorScope.Transport, error.Scope);
        Assert.Equal(ErrorCondition.UnauthorizedAccess, error.Error.Condition.Value);
        Assert.DoesNotContain("secret", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Messages_pass_under_TLS_and_a_certificate_that_is_not_trusted_is_refused()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        using var certificate = Certificates.SelfSigned("localhost");
        var payloads = new ConcurrentQueue<ReadOnlyMemory<byte>>();
        var trusting = new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            RemoteCertificateValidationCallback = (_, presented, _, _) => presented?.GetCertHashString() == certificate.GetCertHashString(),
        };
        await using var pair = await LoopbackPair.StartAsync(
            Serving.Collect(payloads, 10),
            cancellationToken,
            new AmqpListenerOptions { Certificate = certificate },
            options => options with { UseTls = true, Tls = trusting }
        );
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        await Task.WhenAll(Enumerable.Range(0, 20).Select(i => sender.SendAsync(new byte[i * 10_000], 0, cancellationToken).AsTask()));
        Assert.Equal(Enumerable.Range(0, 20).Select(i => i * 10_000), payloads.Select(payload => payload.Length));

        var error = await Assert.ThrowsAsync<AmqpException>(() =>
            AmqpConnection.ConnectAsync(
                new AmqpConnectionOptions
                {
                    Host = "127.0.0.1",
                    Port = pair.Listener.LocalEndPoint.Port,
                    UseTls = true,
                },
                cancellationToken
            )
        );
        Assert.Equal(AmqpErrorScope.Transport, error.Scope);
    }

    [Fact]
    public async Task A_connection_that_breaks_in_mid_send_faults_every_pending_operation()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        AmqpReceiver? remote = null;
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                if (request.PeerIsSender)
                {
                    remote = request.AcceptReceiver(new LinkAnswer(), 5);
                }
                else
                {
                    // A listener answers drains, and this one does not.
                    request.AcceptSender(new LinkAnswer()).CreditChanged += () => { };
                }

                return Task.CompletedTask;
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        var receiver = await session.AttachReceiverAsync(Serving.From("r"), 5, cancellationToken);
        var operations = Enumerable.Range(0, 10).Select(_ => (Task)sender.SendAsync(new byte[10], 0, cancellationToken).AsTask()).ToList();
        operations.Add(receiver.ReceiveAsync(cancellationToken).AsTask());
        operations.Add(receiver.DrainAsync(cancellationToken));
        for (var i = 0; i < 5; i++)
        {
            await remote!.ReceiveAsync(cancellationToken);
        }

        pair.Server.Abort(new AmqpError("test:killed"));
        foreach (var operation in operations)
        {
            Assert.Equal(AmqpErrorScope.Transport, (await Assert.ThrowsAsync<AmqpException>(() => operation)).Scope);
        }

        Assert.NotNull(await pair.Client.Completion.WaitAsync(cancellationToken));
        Assert.NotNull(await session.Completion.WaitAsync(cancellationToken));
        Assert.NotNull(await sender.Completion.WaitAsync(cancellationToken));
        Assert.False(pair.Client.IsOpen || session.IsOpen || sender.IsOpen || receiver.IsOpen);
        Assert.Equal(AmqpErrorScope.Transport, (await Assert.ThrowsAsync<AmqpException>(() => pair.BeginAsync(cancellationToken))).Scope);
    }

    [Fact]
    public async Task A_close_with_an_error_reaches_the_other_side()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Accept, cancellationToken);
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        var pending = sender.SendAsync(new byte[1], 0, cancellationToken).AsTask();
        await pair.Server.CloseAsync(new AmqpError(ErrorCondition.ConnectionForced, "out for maintenance"), cancellationToken);
        Assert.Equal("out for maintenance", (await pair.Client.Completion.WaitAsync(cancellationToken))!.Description);
        var error = await Assert.ThrowsAsync<AmqpException>(() => pending);
        Assert.Equal((AmqpErrorScope.Connection, ErrorCondition.ConnectionForced), (error.Scope, error.Error.Condition.Value));
    }

    [Fact]
    public async Task A_clean_close_has_no_error_on_either_side_and_may_be_repeated()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Accept, cancellationToken);
        var server = pair.Server;
        await pair.Client.CloseAsync(null, cancellationToken);
        Assert.Null(await pair.Client.Completion.WaitAsync(cancellationToken));
        Assert.Null(await server.Completion.WaitAsync(cancellationToken));
        await pair.Client.CloseAsync(null, cancellationToken);
        await pair.Client.DisposeAsync();
        await pair.Client.DisposeAsync();
    }

    [Fact]
    public async Task Stopping_the_listener_closes_its_connections_as_forced()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Accept, cancellationToken);
        await pair.Listener.DisposeAsync();
        Assert.Equal(ErrorCondition.ConnectionForced, (await pair.Client.Completion.WaitAsync(cancellationToken))!.Condition.Value);
    }

    [Fact]
    public async Task A_session_that_the_peer_ends_with_an_error_faults_its_links()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        AmqpSession? remote = null;
        await using var pair = await LoopbackPair.StartAsync(
            request =>
            {
                remote = request.Session;
                return Serving.Accept(request);
            },
            cancellationToken
        );
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        var pending = sender.SendAsync(new byte[1], 0, cancellationToken).AsTask();
        await remote!.EndAsync(new AmqpError("test:session"), cancellationToken);
        Assert.Equal("test:session", (await session.Completion.WaitAsync(cancellationToken))!.Condition.Value);
        Assert.Equal("test:session", (await Assert.ThrowsAsync<AmqpException>(() => pending)).Error.Condition.Value);
        Assert.True(pair.Client.IsOpen);
    }

    [Fact]
    public async Task Sessions_beyond_channel_max_are_refused_locally()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var pair = await LoopbackPair.StartAsync(Serving.Accept, cancellationToken, new AmqpListenerOptions { ChannelMax = 1 });
        await pair.BeginAsync(cancellationToken);
        var last = await pair.BeginAsync(cancellationToken);
        var error = await Assert.ThrowsAsync<AmqpException>(() => pair.BeginAsync(cancellationToken));
        Assert.Equal(ErrorCondition.ResourceLimitExceeded, error.Error.Condition.Value);
        await last.EndAsync(null, cancellationToken);
        await pair.BeginAsync(cancellationToken);
    }

    [Fact]
    public async Task A_peer_that_reads_nothing_holds_up_only_its_own_sender()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var payloads = new ConcurrentQueue<ReadOnlyMemory<byte>>();
        var stuck = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var pair = await LoopbackPair.StartAsync(
            request => request.PeerIsSender ? Serving.Collect(payloads, 10)(request) : FloodAsync(request, stuck),
            cancellationToken,
            new AmqpListenerOptions { WriteQueueLimit = 100_000, SessionWindow = 100_000 }
        );
        await using var peer = await RawPeer.OpenAsync(pair.Listener, cancellationToken);
        await peer.WriteAsync(
            0,
            cancellationToken,
            new Begin { IncomingWindow = 1_000_000, OutgoingWindow = 1 },
            Serving.From("flood") with
            {
                Role = LinkRole.Receiver,
            },
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 1_000_000,
                OutgoingWindow = 1,
                Handle = 0,
                DeliveryCount = 0,
                LinkCredit = 1_000_000,
            }
        );
        await stuck.Task.WaitAsync(cancellationToken);
        var session = await pair.BeginAsync(cancellationToken);
        var sender = await session.AttachSenderAsync(Serving.To("s"), cancellationToken);
        for (var i = 0; i < 200; i++)
        {
            await sender.SendAsync(new byte[100], 0, cancellationToken);
        }

        Assert.Equal(200, payloads.Count);
    }

    // Sends without end, and reports when a transfer must wait although there is credit.
    private static async Task FloodAsync(LinkRequest request, TaskCompletionSource stuck)
    {
        var sender = request.AcceptSender(new LinkAnswer());
        await sender.WaitForCreditAsync(CancellationToken.None);
        var payload = new System.Buffers.ReadOnlySequence<byte>(new byte[60_000]);
        while (true)
        {
            var transfer = sender.TransferAsync(payload, new OutgoingTransfer { Settled = true }, CancellationToken.None).AsTask();
            if (!transfer.IsCompleted)
            {
                stuck.TrySetResult();
            }

            await transfer;
        }
    }
}
