using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Clients.Azure.Failures;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

public sealed class FirstConnectionProbeTests : IDisposable
{
    // Bound and not listening: the system refuses connections, and gives the port to no other.
    private readonly Socket refusing = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly VirtualClock clock = new();
    private readonly TaskCompletionSource<string> noticed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<int> operation = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public FirstConnectionProbeTests() => refusing.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private string Server => refusing.LocalEndPoint!.ToString()!;

    public void Dispose() => refusing.Dispose();

    [Fact(Timeout = 60_000)]
    public async Task A_server_that_refuses_connections_is_reported_when_an_operation_takes_a_second()
    {
        var watched = First().WatchAsync(operation.Task, Cancellation);
        clock.Advance(Outage.NoticeAfter);

        Assert.Equal($"connection refused by {Server}, retrying for 60 s. Is the emulator running?", await noticed.Task);
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

    [Theory(Timeout = 60_000)]
    [InlineData("orders.servicebus.windows.net at 127.0.0.1")]
    [InlineData("orders.servicebus.windows.net at 127.0.0.1:1")]
    [InlineData("orders.servicebus.windows.net:443")]
    public async Task A_server_that_may_not_be_connected_to_like_that_is_not_tried(string server)
    {
        var watched = First(server).WatchAsync(operation.Task, Cancellation);

        Assert.Equal(0, clock.PendingTimers);
        operation.SetResult(3);
        Assert.Equal(3, await watched);
        Assert.False(noticed.Task.IsCompleted);
    }

    private FirstConnectionProbe First(string? server = null) =>
        new(
            server ?? Server,
            new Outage(new RetryOptions { UnreachableLimit = TimeSpan.FromSeconds(60) }, clock, server ?? Server, line => noticed.TrySetResult(line)),
            clock
        );
}
