using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>The result of a write that storage refuses, loses or never gets, for each family of clients.</summary>
public abstract class BlobFailureContract
{
    private const string Created = "ETag: \"0x1\"\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n";

    [Theory]
    [InlineData(408)]
    [InlineData(429)]
    [InlineData(500)]
    [InlineData(502)]
    [InlineData(503)]
    [InlineData(504)]
    public async Task Tries_again_what_may_succeed_later_and_gives_up_after_the_limit(int status)
    {
        await using var server = new ScriptedServer([.. Enumerable.Repeat(ScriptedServer.Answer(status), 9), ScriptedServer.Answer(201, Created)]);
        using var account = Connect(server.Port);

        var refused = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));
        var etag = await UploadAsync(account);

        Assert.True(refused.IsTransient);
        Assert.Equal("0x1", etag);
        Assert.Equal(6 + 4, server.Requests.Count);
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
    public async Task A_failure_that_another_try_would_not_change_fails_immediately(int status, FailureKind kind)
    {
        await using var server = new ScriptedServer(ScriptedServer.Answer(status, "x-ms-error-code: SomeCode\r\nLocation: http://127.0.0.1:1/\r\n"));
        using var account = Connect(server.Port);

        var exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.Equal(kind, exception.Kind);
        Assert.Equal("SomeCode", exception.Condition);
        Assert.Contains("blob 'name' of container 'container'", exception.Message, StringComparison.Ordinal);
        Assert.Single(server.Requests);
    }

    [Fact]
    public async Task Tries_again_after_a_broken_connection_and_shows_the_conflict_of_an_ambiguous_write()
    {
        await using var server = new ScriptedServer(string.Empty, "HTTP/1.1 201 Cre", ScriptedServer.Answer(409, "x-ms-error-code: BlobAlreadyExists\r\n"));
        using var account = Connect(server.Port);

        var exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.Equal(FailureKind.Conflict, exception.Kind);
        Assert.Equal("BlobAlreadyExists", exception.Condition);
        Assert.Equal(3, server.Requests.Count);
    }

    [Fact]
    public async Task One_refused_connection_is_not_reported_as_unreachable()
    {
        var port = FreePort.Next();
        using var account = Connect(port);

        var exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account.GetContainer("container", RetryOptions.Once)));

        Assert.Equal((FailureKind.Unconnected, true), (exception.Kind, exception.IsTransient));
    }

    [Fact]
    public async Task A_caller_that_wants_one_try_gets_no_retries_and_the_delay_that_the_service_advises()
    {
        await using var server = new ScriptedServer(ScriptedServer.Answer(503, "Retry-After: 7\r\n"));
        using var account = Connect(server.Port);

        var exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account.GetContainer("container", RetryOptions.Once)));

        Assert.Equal((FailureKind.Throttled, TimeSpan.FromSeconds(7)), (exception.Kind, exception.RetryAfter));
        Assert.Single(server.Requests);
    }

    [Fact]
    public async Task Signs_every_try_and_never_shows_the_key()
    {
        await using var server = new ScriptedServer(ScriptedServer.Answer(500), ScriptedServer.Answer(403));
        using var account = Connect(server.Port);

        var exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.All(server.Requests, request => Assert.Contains("Authorization: SharedKey acct:", request, StringComparison.Ordinal));
        Assert.DoesNotContain("Y2FuYXJ5", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stops_when_it_is_cancelled()
    {
        await using var server = new ScriptedServer();
        using var account = Connect(server.Port);
        using var cancelled = new CancellationTokenSource();
        Task upload = account.GetContainer("container").UploadAsync(new BlobUpload { Name = "name", Content = new byte[] { 1 } }, cancelled.Token).AsTask();

        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => upload);
    }

    [Fact]
    public async Task Every_answer_reports_the_storage_clock_and_every_try_reports_the_steps_of_a_write()
    {
        await using var server = new ScriptedServer(ScriptedServer.Answer(503, "Date: Thu, 01 Jan 2026 00:00:30 GMT\r\n"), ScriptedServer.Answer(201, Created));
        List<ClockDifference> clocks = [];
        List<OperationMoment> moments = [];
        using var account = Connect(server.Port, clocks.Add, step => moments.Add(step.Moment));

        await UploadAsync(account);

        Assert.Single(clocks);
        Assert.Equal([OperationMoment.OnTheWire, OperationMoment.OnTheWire, OperationMoment.Answered], moments);
    }

    /// <summary>An account on this machine with the default number of retries, whose waits are short.</summary>
    private protected abstract IBlobAccount Connect(int port, Action<ClockDifference>? clockRead = null, Action<OperationStep>? observer = null);

    private protected static Task<string> UploadAsync(IBlobAccount account) => UploadAsync(account.GetContainer("container"));

    private protected static Task<string> UploadAsync(IBlobContainer container) =>
        container.UploadAsync(new BlobUpload { Name = "name", Content = new byte[] { 1, 2, 3 } }, TestContext.Current.CancellationToken).AsTask();
}
