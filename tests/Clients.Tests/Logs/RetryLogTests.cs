using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Clients.Tests.Blobs;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Logging;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Logs;

/// <summary>Tries that are repeated, and such as are given up, in the log.</summary>
public sealed class RetryLogTests : IDisposable
{
    private readonly LogRecorder log = new();

    public void Dispose() => log.Dispose();

    [Fact]
    public async Task A_service_that_asks_to_slow_down_and_retries_that_are_used_up()
    {
        await Assert.ThrowsAsync<MessagingException>(() => RunAsync(new RetryOptions { MaximumRetries = 2 }, AmqpNames.ServerBusyError));
        Assert.Equal([1013, 1013, 1014], log.Lines.Select(static line => line.EventId.Id));
        Assert.All(log.Lines, static line => Assert.Equal(LogLevel.Warning, line.Level));
        Assert.Equal("queue or topic 'queue': given up after 3 tries", log.Lines[^1].Message);
        Assert.IsType<MessagingException>(log.Lines[^1].Exception);
    }

    [Fact]
    public async Task A_try_that_fails_in_passing_is_a_matter_for_debugging()
    {
        await Assert.ThrowsAsync<MessagingException>(() => RunAsync(new RetryOptions { MaximumRetries = 2 }, ErrorCondition.InternalError));
        Assert.Equal([LogLevel.Debug, LogLevel.Debug, LogLevel.Warning], log.Lines.Select(static line => line.Level));
    }

    [Theory]
    [InlineData(0, ErrorCondition.InternalError)]
    [InlineData(5, ErrorCondition.NotFound)]
    public async Task A_failure_that_the_caller_gets_immediately_is_not_logged(int retries, string condition)
    {
        await Assert.ThrowsAsync<MessagingException>(() => RunAsync(new RetryOptions { MaximumRetries = retries }, condition));
        Assert.Empty(log.Lines);
    }

    [Fact]
    public async Task Storage_that_asks_to_slow_down_fails_and_is_given_up()
    {
        await using var server = new ScriptedServer([ScriptedServer.Answer(503), .. Enumerable.Repeat(ScriptedServer.Answer(500), 10)]);
        using var account = new BlobAccount(
            StorageConnectionString.Parse($"AccountName=acct;AccountKey=Y2FuYXJ5;BlobEndpoint=http://127.0.0.1:{server.Port}/acct"),
            new BlobAccountOptions { TimeProvider = new ImpatientClock(TimeSpan.FromSeconds(10)), Log = log.CreateLogger("blobs") }
        );
        var upload = new BlobUpload { Name = "name", Content = new byte[] { 1, 2, 3 } };
        await Assert.ThrowsAsync<MessagingException>(() =>
            account.GetContainer("container").UploadAsync(upload, TestContext.Current.CancellationToken).AsTask()
        );

        Assert.Equal([1013, 1012, 1012, 1012, 1012, 1014], log.Lines.Select(static line => line.EventId.Id));
        Assert.DoesNotContain(log.Lines, static line => line.Message.Contains("Y2FuYXJ5", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Storage_that_is_out_of_reach_and_answers_again()
    {
        await using var server = new ScriptedServer(ScriptedServer.Answer(201, "ETag: \"0x1\"\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n"));
        var connects = 0;
        using var http = new HttpClient(
            new SocketsHttpHandler
            {
                ConnectCallback = async (context, cancellationToken) =>
                {
                    if (connects++ == 0)
                    {
                        throw new System.Net.Sockets.SocketException((int)System.Net.Sockets.SocketError.ConnectionRefused);
                    }

                    var socket = new System.Net.Sockets.Socket(System.Net.Sockets.SocketType.Stream, System.Net.Sockets.ProtocolType.Tcp);
                    await socket.ConnectAsync(context.DnsEndPoint, cancellationToken);
                    return new System.Net.Sockets.NetworkStream(socket, ownsSocket: true);
                },
            }
        );
        var settings = StorageConnectionString.Parse($"AccountName=acct;AccountKey=Y2FuYXJ5;BlobEndpoint=http://127.0.0.1:{server.Port}/acct");
        var options = new BlobAccountOptions { TimeProvider = new ImpatientClock(TimeSpan.FromSeconds(10)), Log = log.CreateLogger("blobs") };
        using var deadlines = new DeadlinePool(options.TimeProvider);
        var pipeline = new BlobPipeline(http, deadlines, settings, options, new Outage(options.Retry, options.TimeProvider, "127.0.0.1:1", notice: null));
        var container = new BuiltInBlobContainer(pipeline, settings.BlobEndpoint.AbsoluteUri.TrimEnd('/'), "container");
        await container.UploadAsync(new BlobUpload { Name = "name", Content = new byte[] { 1 } }, TestContext.Current.CancellationToken);

        Assert.Equal(
            ["StorageUnconnected", "StorageAnswersAgain"],
            log.Lines.Where(static line => line.Level >= LogLevel.Information).Select(static line => line.EventId.Name)
        );
    }

    private async Task<int> RunAsync(RetryOptions options, string condition)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var clock = new VirtualClock();
        var retrier = new Retrier("127.0.0.1:5672", options, clock, 1, log.CreateLogger("connections"));
        var running = retrier
            .RunAsync<string, int>(
                condition,
                static (error, _) => throw new AmqpException(AmqpErrorScope.Delivery, new AmqpError(error, "it failed")),
                EntityLabel.Messages("queue"),
                cancellationToken
            )
            .AsTask();
        await clock.AdvanceUntilEndedAsync(running, cancellationToken);
        return await running;
    }
}
