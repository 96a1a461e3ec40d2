using Azure.Messaging.EventHubs;
using EventHubThroughput.Clients.Azure.EventHubs;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

public sealed class HubQueriesTests
{
    private readonly VirtualClock clock = new();
    private int calls;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public static TheoryData<string> WithoutAnswer => ["TimeoutException", "TaskCanceledException", "EventHubsException"];

    [Theory(Timeout = 60_000), MemberData(nameof(WithoutAnswer))]
    public async Task A_call_without_an_answer_is_repeated(string kind)
    {
        var asked = Queries().AskAsync(_ => calls < 2 ? ExpireAsync(TimeSpan.FromSeconds(20), Create(kind)) : Task.FromResult("answer"), Cancellation);
        await clock.AdvanceUntilEndedAsync(asked, Cancellation);

        Assert.Equal("answer", await asked);
        Assert.Equal(2, calls);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_call_without_an_answer_is_repeated_after_a_pause()
    {
        var asked = Queries().AskAsync(_ => ExpireAsync(TimeSpan.Zero, Create("TaskCanceledException")), Cancellation);

        clock.Advance(new RetryOptions().MaximumDelay - TimeSpan.FromTicks(1));
        Assert.Equal(1, calls);

        await Assert.ThrowsAsync<MessagingException>(() => clock.AdvanceUntilEndedAsync(asked, Cancellation));
        Assert.Equal(new RetryOptions().OperationTimeout, clock.Elapsed);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_call_without_an_answer_fails_after_the_time_of_an_operation()
    {
        var asked = Queries().AskAsync(_ => ExpireAsync(TimeSpan.FromSeconds(40), Create("TaskCanceledException")), Cancellation);
        var failure = await Assert.ThrowsAsync<MessagingException>(() => clock.AdvanceUntilEndedAsync(asked, Cancellation));

        Assert.Equal(FailureKind.Transient, failure.Kind);
        Assert.Equal("event hub 'h': no answer from event hubs host:1 in time", failure.Message);
        Assert.Equal(2, calls);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_caller_that_retries_for_itself_gets_the_failure()
    {
        var queries = Queries(RetryOptions.Once);

        await Assert.ThrowsAsync<MessagingException>(() => queries.AskAsync(_ => ExpireAsync(TimeSpan.Zero, new TimeoutException()), Cancellation));

        Assert.Equal(1, calls);
    }

    [Fact(Timeout = 60_000)]
    public async Task An_answer_that_is_an_error_is_not_repeated()
    {
        var missing = new EventHubsException(isTransient: false, "h", "no such hub", EventHubsException.FailureReason.ResourceNotFound);

        var failure = await Assert.ThrowsAsync<MessagingException>(() => Queries().AskAsync(_ => ExpireAsync(TimeSpan.Zero, missing), Cancellation));

        Assert.Equal(FailureKind.NotFound, failure.Kind);
        Assert.Equal(1, calls);
    }

    [Fact(Timeout = 60_000)]
    public async Task The_cancellation_of_the_caller_ends_it()
    {
        using var source = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        await source.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            Queries().AskAsync(token => ExpireAsync(TimeSpan.Zero, new OperationCanceledException(token)), source.Token)
        );
        Assert.Equal(1, calls);
    }

    private HubQueries Queries(RetryOptions? options = null)
    {
        var retry = options ?? new RetryOptions();
        var failures = new EventHubFailures("host:1", retry, clock, notice: null);
        return new HubQueries("event hub 'h'", "event hubs host:1", failures, retry, clock, NullLogger.Instance);
    }

    private Task<string> ExpireAsync(TimeSpan after, Exception exception)
    {
        calls++;
        clock.Advance(after);
        return Task.FromException<string>(exception);
    }

    private static Exception Create(string kind) =>
        kind switch
        {
            "TimeoutException" => new TimeoutException("no answer"),
            "TaskCanceledException" => new TaskCanceledException("no answer"),
            _ => new EventHubsException(isTransient: true, "h", "no answer", EventHubsException.FailureReason.ServiceTimeout),
        };
}
