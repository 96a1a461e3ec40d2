using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Diagnosing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Diagnosing;

public sealed class CheckLimitTests
{
    private readonly VirtualClock clock = new();

    [Fact]
    public async Task An_operation_that_ignores_its_token_is_abandoned_after_the_time()
    {
        var never = new TaskCompletionSource<int>();
        var running = new CheckLimit(TimeSpan.FromSeconds(10), clock).RunAsync(_ => never.Task, TestContext.Current.CancellationToken);

        clock.Advance(TimeSpan.FromSeconds(9));
        Assert.False(running.IsCompleted);
        clock.Advance(TimeSpan.FromSeconds(1));

        var failure = await Assert.ThrowsAsync<MessagingException>(() => running);
        Assert.Equal(("no answer within 10 s", true), (failure.Message, failure.IsTimeout));
    }

    [Fact]
    public async Task An_operation_that_the_caller_stops_is_cancelled_and_no_failure_of_the_service()
    {
        using var stop = new CancellationTokenSource();
        var never = new TaskCompletionSource<int>();
        var running = new CheckLimit(TimeSpan.FromSeconds(10), clock).RunAsync(_ => never.Task, stop.Token);

        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    [Fact]
    public async Task A_failure_of_the_service_is_not_changed()
    {
        var refused = new MessagingException(FailureKind.NotFound, "nowhere");

        var failure = await Assert.ThrowsAsync<MessagingException>(() =>
            new CheckLimit(TimeSpan.FromSeconds(10), clock).RunAsync(_ => Task.FromException<int>(refused), TestContext.Current.CancellationToken)
        );

        Assert.Same(refused, failure);
    }
}
