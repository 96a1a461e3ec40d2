using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Blobs;

/// <summary>How the built-in client tries again, in virtual time.</summary>
public sealed class BlobRetryTests : BlobFailureContract
{
    private const string Created = "ETag: \"0x1\"\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n";

    private readonly ImpatientClock clock = new(TimeSpan.FromSeconds(10));

    [Fact]
    public async Task Waits_at_least_as_long_as_the_service_advises()
    {
        await using var server = new ScriptedServer(
            ScriptedServer.Answer(503, "Retry-After: 7\r\n"),
            ScriptedServer.Answer(429, "Retry-After: Thu, 01 Jan 2026 00:00:03 GMT\r\n"),
            ScriptedServer.Answer(201, Created)
        );
        using var account = Connect(server.Port);

        await UploadAsync(account);

        Assert.Equal([TimeSpan.FromSeconds(7), TimeSpan.FromSeconds(3)], clock.Waits);
    }

    [Fact]
    public async Task Gives_up_after_the_limit_of_retries_and_doubles_its_waits()
    {
        await using var server = new ScriptedServer([.. Enumerable.Repeat(ScriptedServer.Answer(500), 10)]);
        using var account = Connect(server.Port);

        var exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.Equal(FailureKind.Transient, exception.Kind);
        Assert.Equal(6, server.Requests.Count);
        Assert.Equal([50, 100, 200, 400, 800], clock.Waits.Select(wait => wait.TotalMilliseconds));
    }

    [Fact]
    public async Task Ends_before_an_advised_wait_that_is_longer_than_the_operation_may_take()
    {
        await using var server = new ScriptedServer(ScriptedServer.Answer(503, "Retry-After: 3600\r\n"));
        using var account = Connect(server.Port);

        var exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.Equal(FailureKind.Throttled, exception.Kind);
        Assert.Empty(clock.Waits);
    }

    [Fact]
    public async Task A_refused_connection_names_host_and_port_and_ends_at_the_limit()
    {
        var port = FreePort.Next();
        using var account = Connect(port);

        var exception = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account));

        Assert.Equal(FailureKind.Unreachable, exception.Kind);
        Assert.Contains($"127.0.0.1:{port}", exception.Message, StringComparison.Ordinal);
        Assert.Equal(60, clock.Waits.Sum(wait => wait.TotalSeconds), 0.001);
    }

    [Fact]
    public async Task Counts_an_outage_over_the_single_tries_of_all_callers()
    {
        using var account = Connect(FreePort.Next());
        for (var seconds = 0; seconds < 60; seconds += 10)
        {
            var passing = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account.GetContainer("container", RetryOptions.Once)));
            Assert.Equal(FailureKind.Unconnected, passing.Kind);
            clock.CreateTimer(static _ => { }, null, TimeSpan.FromSeconds(10), Timeout.InfiniteTimeSpan);
        }

        var last = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account.GetContainer("container", RetryOptions.Once)));

        Assert.Equal(FailureKind.Unreachable, last.Kind);
        Assert.Contains("unreachable for 60 s", last.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Every_answer_reports_the_difference_of_the_storage_clock()
    {
        await using var server = new ScriptedServer(
            ScriptedServer.Answer(503, "Date: Thu, 01 Jan 2026 00:00:30 GMT\r\n"),
            ScriptedServer.Answer(201, Created + "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n")
        );
        List<TimeSpan> read = [];
        using var account = Connect(server.Port, difference => read.Add(difference.AtLeast));

        await UploadAsync(account);

        Assert.Equal([TimeSpan.FromSeconds(30), TimeSpan.Zero], read);
    }

    private protected override IBlobAccount Connect(int port, Action<ClockDifference>? clockRead = null, Action<OperationStep>? observer = null) =>
        new BlobAccount(
            StorageConnectionString.Parse($"AccountName=acct;AccountKey=Y2FuYXJ5;BlobEndpoint=http://127.0.0.1:{port}/acct"),
            new BlobAccountOptions
            {
                TimeProvider = clock,
                Jitter = static () => 0.5,
                ConnectTimeout = TimeSpan.FromSeconds(30),
                ClockRead = clockRead,
                Observer = observer,
            }
        );
}
