using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Clients.Azure.Failures;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

public sealed class FirstAnswerTests : IDisposable
{
    // Bound and not listening: the system refuses connections, and gives the port to no other.
    private readonly Socket refusing = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly VirtualClock clock = new();
    private readonly TaskCompletionSource<string> noticed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<int> operation = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public FirstAnswerTests() => refusing.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private string Server => refusing.LocalEndPoint!.ToString()!;

    public void Dispose() => refusing.Dispose();

    [Fact(Timeout = 60_000)]
    public async Task A_server_that_refuses_connections_is_reported_when_an_operation_takes_a_second()
    {
        var watched = First().WatchAsync(operation.Task, Cancellation);
        clock.Advance(Outage.NoticeAfter);

        Assert.Equal($"connection refused by {Server}, retrying for 60 s; is the emulator running?", await noticed.Task);
        operation.SetResult(7);
        Assert.Equal(7, await watched);
    }

    [Fact(Timeout = 60_000)]
    public async Task After_an_answer_nothing_is_watched()
    {
        var first = First();
        await first.WatchAsync(Task.FromResult(1), Cancellation);

        var watched = first.WatchAsync(operation.Task, Cancellation);
        Assert.Equal(0, clock.PendingTimers);
        operation.SetResult(2);

        Assert.Equal(2, await watched);
        Assert.False(noticed.Task.IsCompleted);
    }

    [Fact(Timeout = 60_000)]
    public async Task An_operation_that_fails_within_the_second_leaves_no_timer()
    {
        var watched = First().WatchAsync(operation.Task, Cancellation);
        operation.SetException(new TimeoutException("no answer"));

        Assert.Equal("no answer", (await Assert.ThrowsAsync<TimeoutException>(() => watched)).Message);
        Assert.Equal(0, clock.PendingTimers);
        Assert.False(noticed.Task.IsCompleted);
    }

    private FirstAnswer First() =>
        new(Server, new Outage(new RetryOptions { UnreachableLimit = TimeSpan.FromSeconds(60) }, clock, Server, line => noticed.TrySetResult(line)), clock);
}
