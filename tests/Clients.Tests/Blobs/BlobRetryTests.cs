using System.Net;
using System.Net.Sockets;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Blobs;

public sealed class BlobRetryTests
{
    private const string Created = "ETag: \"0x1\"\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n";

    private readonly ImpatientClock clock = new(TimeSpan.FromSeconds(10));

    [Theory]
    [InlineData(408)]
    [InlineData(429)]
    [InlineData(500)]
    [InlineData(502)]
    [InlineData(503)]
    [InlineData(504)]
    public async Task Tries_again_what_may_succeed_later(int status)
    {
        await using ScriptedServer server = new(ScriptedServer.Answer(status), ScriptedServer.Answer(201, Created));
        using BlobAccount account = Connect(server.Port);

        string etag = await UploadAsync(account);

        Assert.Equal("0x1", etag);
        Assert.Equal([TimeSpan.FromMilliseconds(50)], clock.Waits);
        Assert.Equal(2, server.Requests.Count);
    }

    [Fact]
    public async Task Waits_at_least_as_long_as_the_service_advises()
    {
        await using ScriptedServer server = new(
            ScriptedServer.Answer(503, "Retry-After: 7\r\n"),
            ScriptedServer.Answer(429, "Retry-After: Thu, 01 Jan 2026 00:00:03 GMT\r\n"),
            ScriptedServer.Answer(201, Created)
        );
        using BlobAccount account = Connect(server.Port);

        await UploadAsync(account);

        Assert.Equal([TimeSpan.FromSeconds(7), TimeSpan.FromSeconds(3)], clock.Waits);
    }

    [Fact]
    public async Task Gives_up_after_the_limit_of_retries_and_doubles_its_waits()
    {
        await using ScriptedServer server = new([.. Enumerable.Repeat(ScriptedServer.Answer(500), 10)]);
        using BlobAccount account = Connect(server.Port);

        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.Equal(FailureKind.Transient, exception.Kind);
        Assert.Equal(6, server.Requests.Count);
        Assert.Equal([50, 100, 200, 400, 800], clock.Waits.Select(wait => wait.TotalMilliseconds));
    }

    [Fact]
    public async Task Ends_before_an_advised_wait_that_is_longer_than_the_operation_may_take()
    {
        await using ScriptedServer server = new(ScriptedServer.Answer(503, "Retry-After: 3600\r\n"));
        using BlobAccount account = Connect(server.Port);

        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.Equal(FailureKind.Throttled, exception.Kind);
        Assert.Empty(clock.Waits);
    }

    [Theory]
    [InlineData(400, FailureKind.Permanent)]
    [InlineData(401, FailureKind.Unauthorized)]
    [InlineData(403, FailureKind.Unauthorized)]
    [InlineData(404, FailureKind.NotFound)]
    [InlineData(409, FailureKind.Conflict)]
    [InlineData(412, FailureKind.Conflict)]
    [InlineData(413, FailureKind.TooLarge)]
    [InlineData(302, FailureKind.Permanent)]
    public async Task Fails_at_once_when_another_try_would_change_nothing(int status, FailureKind kind)
    {
        await using ScriptedServer server = new(ScriptedServer.Answer(status, "x-ms-error-code: SomeCode\r\nLocation: http://127.0.0.1:1/\r\n"));
        using BlobAccount account = Connect(server.Port);

        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.Equal(kind, exception.Kind);
        Assert.Equal("SomeCode", exception.Condition);
        Assert.Contains("blob 'name' of container 'container'", exception.Message, StringComparison.Ordinal);
        Assert.Empty(clock.Waits);
    }

    [Fact]
    public async Task Tries_again_after_a_broken_connection_and_shows_the_conflict_of_an_ambiguous_write()
    {
        await using ScriptedServer server = new(string.Empty, "HTTP/1.1 201 Cre", ScriptedServer.Answer(409, "x-ms-error-code: BlobAlreadyExists\r\n"));
        using BlobAccount account = Connect(server.Port);

        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.Equal(FailureKind.Conflict, exception.Kind);
        Assert.Equal("BlobAlreadyExists", exception.Condition);
        Assert.Equal(3, server.Requests.Count);
    }

    [Fact]
    public async Task Names_host_and_port_when_nobody_listens_and_ends_at_the_limit()
    {
        int port = UnusedPort();
        using BlobAccount account = Connect(port);

        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.Equal(FailureKind.Unreachable, exception.Kind);
        Assert.Contains($"127.0.0.1:{port}", exception.Message, StringComparison.Ordinal);
        Assert.Equal(60, clock.Waits.Sum(wait => wait.TotalSeconds), 0.001);
    }

    [Fact]
    public async Task Calls_nobody_unreachable_for_one_refused_connection()
    {
        int port = UnusedPort();
        using BlobAccount account = Connect(port);

        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account.GetContainer("container", RetryOptions.Once)));

        Assert.Equal((FailureKind.Unconnected, true), (exception.Kind, exception.IsTransient));
    }

    [Fact]
    public async Task Leaves_repeating_to_a_caller_who_wants_one_try_and_tells_him_what_the_service_advises()
    {
        await using ScriptedServer server = new(ScriptedServer.Answer(503, "Retry-After: 7\r\n"));
        using BlobAccount account = Connect(server.Port);

        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account.GetContainer("container", RetryOptions.Once)));

        Assert.Equal((FailureKind.Throttled, TimeSpan.FromSeconds(7)), (exception.Kind, exception.RetryAfter));
        Assert.Single(server.Requests);
        Assert.Empty(clock.Waits);
    }

    [Fact]
    public async Task Counts_an_outage_over_the_single_tries_of_all_callers()
    {
        using BlobAccount account = Connect(UnusedPort());
        for (int seconds = 0; seconds < 60; seconds += 10)
        {
            MessagingException passing = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account.GetContainer("container", RetryOptions.Once)));
            Assert.Equal(FailureKind.Unconnected, passing.Kind);
            clock.CreateTimer(static _ => { }, null, TimeSpan.FromSeconds(10), Timeout.InfiniteTimeSpan);
        }

        MessagingException last = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account.GetContainer("container", RetryOptions.Once)));

        Assert.Equal(FailureKind.Unreachable, last.Kind);
        Assert.Contains("unreachable for 60 s", last.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Signs_every_try_and_never_shows_the_key()
    {
        await using ScriptedServer server = new(ScriptedServer.Answer(500), ScriptedServer.Answer(403));
        using BlobAccount account = Connect(server.Port);

        MessagingException exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.All(server.Requests, request => Assert.Contains("Authorization: SharedKey acct:", request, StringComparison.Ordinal));
        Assert.DoesNotContain("Y2FuYXJ5", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tells_by_every_answer_how_far_the_storage_clock_is_away()
    {
        await using ScriptedServer server = new(
            ScriptedServer.Answer(503, "Date: Thu, 01 Jan 2026 00:00:30 GMT\r\n"),
            ScriptedServer.Answer(201, Created + "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n")
        );
        List<TimeSpan> read = [];
        using BlobAccount account = Connect(server.Port, difference => read.Add(difference.AtLeast));

        await UploadAsync(account);

        Assert.Equal([TimeSpan.FromSeconds(30), TimeSpan.Zero], read);
    }

    [Fact]
    public async Task Stops_when_it_is_cancelled()
    {
        await using ScriptedServer server = new();
        using BlobAccount account = Connect(server.Port);
        using CancellationTokenSource cancelled = new();
        Task upload = account.GetContainer("container").UploadAsync(new BlobUpload { Name = "name", Content = new byte[] { 1 } }, cancelled.Token);

        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => upload);
    }

    private static int UnusedPort()
    {
        using TcpListener silent = new(IPAddress.Loopback, 0);
        silent.Start();
        return ((IPEndPoint)silent.LocalEndpoint).Port;
    }

    private static Task<string> UploadAsync(BlobAccount account) => UploadAsync(account.GetContainer("container"));

    private static Task<string> UploadAsync(IBlobContainer container) =>
        container.UploadAsync(new BlobUpload { Name = "name", Content = new byte[] { 1, 2, 3 } }, TestContext.Current.CancellationToken);

    private BlobAccount Connect(int port, Action<ClockDifference>? clockRead = null) =>
        new(
            StorageConnectionString.Parse($"AccountName=acct;AccountKey=Y2FuYXJ5;BlobEndpoint=http://127.0.0.1:{port}/acct"),
            new BlobAccountOptions
            {
                TimeProvider = clock,
                Jitter = static () => 0.5,
                ConnectTimeout = TimeSpan.FromSeconds(30),
                ClockRead = clockRead,
            }
        );
}
