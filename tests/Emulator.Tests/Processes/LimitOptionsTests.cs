using System.Net;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.Processes;

/// <summary>Limits that were given to the executable hold at its ports.</summary>
public sealed class LimitOptionsTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Sessions_links_and_properties_of_a_peer_are_limited_as_asked_for()
    {
        await using var emulator = await EmulatorProcess.StartAsync("--max-sessions 3 --max-links 2 --property-limit 300");
        await using var peer = await Peer.ConnectAsync(emulator.Settings["SERVICEBUS_CONNECTION_STRING"]);
        Assert.Equal(202, await peer.PutTokenAsync("queue"));
        var sender = await peer.SenderAsync("queue");

        var refused = Assert.IsType<Rejected>(await sender.SendAsync(Message(new string('x', 301)), 0, Cancellation));
        Assert.Equal(
            (ErrorCondition.NotAllowed, "The application property 'p' has 301 bytes, allowed 300."),
            (refused.Error!.Condition.Value, refused.Error.Description)
        );
        Assert.IsType<Accepted>(await sender.SendAsync(Message(new string('x', 300)), 0, Cancellation));

        // One session has the token's links, one the sender's.
        var session = await peer.SessionAsync();
        Assert.Contains("All 3 channels", (await Assert.ThrowsAsync<AmqpException>(peer.SessionAsync)).Error.Description, StringComparison.Ordinal);
        await AttachAsync(session, "one");
        await AttachAsync(session, "two");
        Assert.Contains(
            "All 2 handles",
            (await Assert.ThrowsAsync<AmqpException>(() => AttachAsync(session, "three"))).Error.Description,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("--header-limit 4096", 5_000, 10, HttpStatusCode.RequestHeaderFieldsTooLarge)]
    [InlineData("--upload-limit 1", 10, 1_048_577, HttpStatusCode.RequestEntityTooLarge)]
    [InlineData("--upload-limit 1", 10, 1_048_576, HttpStatusCode.Created)]
    public async Task Requests_for_blobs_are_limited_as_asked_for(string option, int headerLength, int bodyLength, HttpStatusCode expected)
    {
        await using var emulator = await EmulatorProcess.StartAsync($"--allow-anonymous {option}");
        var storage = StorageConnectionString.Parse(emulator.Settings["STORAGE_CONNECTION_STRING"]);
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(HttpMethod.Put, new Uri($"{storage.BlobEndpoint.AbsoluteUri.TrimEnd('/')}/archive/b"));
        request.Content = new ByteArrayContent(new byte[bodyLength]);
        request.Headers.Add("x-ms-version", "2023-11-03");
        request.Headers.Add("x-ms-blob-type", "BlockBlob");
        request.Headers.Add("x-ms-client-request-id", new string('i', 10));
        request.Headers.Add("x-padding", new string('p', headerLength));

        using var answer = await http.SendAsync(request, Cancellation);

        Assert.Equal(expected, answer.StatusCode);
    }

    private static ReadOnlyMemory<byte> Message(string property) => Encoded.Message("body", properties: new AmqpMap { { "p", property } });

    private static Task<AmqpSender> AttachAsync(AmqpSession session, string name) =>
        session.AttachSenderAsync(
            new Attach
            {
                Name = name,
                Source = new Source { Address = "client" },
                Target = new Target { Address = "queue" },
            },
            Cancellation
        );
}
