using System.Net.Http.Headers;
using System.Net.Sockets;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Logging;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Logs;

/// <summary>What the emulator refuses to peers, and what befalls their connections, is in its log once and without a secret.</summary>
public sealed class EmulatorLogTests : RunningEmulator
{
    private const string Reader = "hub/ConsumerGroups/$Default/Partitions/0";

    private readonly VirtualClock _clock = new();
    private readonly LogRecorder _log = new();

    [Fact]
    public async Task A_link_to_what_is_not_there()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus, Credential());
        await Assert.ThrowsAsync<AmqpException>(() => peer.SenderAsync("nowhere"));
        var line = await _log.FirstAsync("LinkRefused", Cancellation);
        Assert.Equal((2005, LogLevel.Information), (line.EventId.Id, line.Level));
        Assert.StartsWith("nowhere (", line.Message, StringComparison.Ordinal);
        Assert.Single(_log.Of("LinkRefused"));
    }

    [Fact]
    public async Task A_token_that_is_refused_and_none_of_it_is_shown()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        var token = peer.Token("queue");
        Assert.Equal(401, await peer.PutTokenAsync("queue", token.Replace("sig=", "sig=WRONG", StringComparison.Ordinal)));
        Assert.Equal("$cbs: a request was refused with 401", Assert.Single(_log.Of("RequestRefused")).Message);
        Assert.DoesNotContain(_log.Lines, static line => line.Message.Contains("WRONG", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_link_whose_token_has_expired()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        var expiry = _clock.GetUtcNow() + TimeSpan.FromMinutes(1);
        var settings = MessagingConnectionString.Parse(ServiceBus);
        Assert.Equal(202, await peer.PutTokenAsync("queue", SasToken.Create(peer.Audience("queue"), settings.KeyName!, settings.Key!, expiry)));
        var sender = await peer.SenderAsync("queue");
        _clock.Advance(TimeSpan.FromMinutes(2));
        await sender.Completion.WaitAsync(Cancellation);
        Assert.Equal("queue: a link is detached, its token has expired", Assert.Single(_log.Of("TokenExpired")).Message);
    }

    [Fact]
    public async Task A_reader_that_is_evicted()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs, Credential());
        var first = await peer.ReceiverAsync(Reader, 1, properties: new AmqpMap { { new AmqpSymbol(AmqpNames.Epoch), 1L } });
        await peer.ReceiverAsync(Reader, 1, properties: new AmqpMap { { new AmqpSymbol(AmqpNames.Epoch), 2L } });
        await first.Completion.WaitAsync(Cancellation);
        Assert.EndsWith("evicted by a reader of owner level 2", Assert.Single(_log.Of("ReaderEvicted")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_peer_that_speaks_another_protocol_and_one_whose_connection_breaks()
    {
        var settings = MessagingConnectionString.Parse(ServiceBus);
        using (var socket = new Socket(SocketType.Stream, ProtocolType.Tcp))
        {
            await socket.ConnectAsync(settings.Host, settings.EffectivePort, Cancellation);
            await socket.SendAsync("EHLO localhost\r\n\r\n"u8.ToArray(), Cancellation);
            var line = await _log.FirstAsync("HandshakeFailed", Cancellation);
            Assert.IsType<AmqpException>(line.Exception);
        }

        await using var peer = await Peer.ConnectAsync(ServiceBus, Credential());
        peer.Connection.Abort(null);
        await _log.FirstAsync("ConnectionEnded", Cancellation);
    }

    [Fact]
    public async Task Blob_requests_that_are_refused_without_query_and_signature()
    {
        using var http = new HttpClient();
        var endpoint = StorageConnectionString.Parse(Host.Settings["STORAGE_CONNECTION_STRING"]).BlobEndpoint;
        using var signed = new HttpRequestMessage(HttpMethod.Get, new Uri($"{endpoint.AbsoluteUri.TrimEnd('/')}/archive/name"));
        signed.Headers.TryAddWithoutValidation("x-ms-date", _clock.GetUtcNow().ToString("R", System.Globalization.CultureInfo.InvariantCulture));
        signed.Headers.Authorization = AuthenticationHeaderValue.Parse($"SharedKey {endpoint.Segments[1].TrimEnd('/')}:V1JPTkc=");
        using var refused = await http.SendAsync(signed, Cancellation);
        using var query = await http.GetAsync(new Uri($"{endpoint.AbsoluteUri.TrimEnd('/')}/archive/name?sig=V1JPTkc%3d&se=2030-01-01"), Cancellation);

        Assert.Equal([403, 403], [(int)refused.StatusCode, (int)query.StatusCode]);
        Assert.All(_log.Of("BlobRequestRefused"), static line => Assert.Equal((2202, LogLevel.Information), (line.EventId.Id, line.Level)));
        Assert.Equal(
            "AuthenticationFailed (403): GET /devstoreaccount1/archive/name was refused".Split(' ')[^4..],
            _log.Of("BlobRequestRefused")[0].Message.Split(' ')[^4..]
        );
        Assert.DoesNotContain(_log.Lines, static line => line.Message.Contains("V1JPTkc", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Frames_are_logged_on_request()
    {
        await using (var peer = await Peer.ConnectAsync(ServiceBus, Credential()))
        {
            var sender = await peer.SenderAsync("queue");
            Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message("a secret body", messageId: "1"), 0, Cancellation));
        }

        var frames = _log.Of("Frame");
        Assert.All(frames, static line => Assert.Equal(("EventHubThroughput.Frames", LogLevel.Trace), (line.Category, line.Level)));
        Assert.Contains(frames, static line => line.Message.Contains("<- [0] transfer(", StringComparison.Ordinal));
        Assert.DoesNotContain(frames, static line => line.Message.Contains("secret body", StringComparison.Ordinal));
        Assert.DoesNotContain(frames, line => line.Message.Contains(MessagingConnectionString.Parse(ServiceBus).Key!, StringComparison.Ordinal));
    }

    private protected override EmulatorOptions Options() => new() { LoggerFactory = _log, TimeProvider = _clock };

    private SaslCredential Credential()
    {
        var settings = MessagingConnectionString.Parse(ServiceBus);
        return new SaslCredential(settings.KeyName!, settings.Key!);
    }
}
