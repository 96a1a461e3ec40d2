using EventHubThroughput.Clients;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Consumer.Tests.Doubles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Pipeline;

/// <summary>Tracked sinks as the pump makes them, driven by the plainest strategy.</summary>
public sealed class TrackedSinkTests : IDisposable
{
    private readonly PumpBench bench = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(FailureKind.Transient)]
    [InlineData(FailureKind.Throttled)]
    public async Task Tries_again_what_may_heal(FailureKind kind)
    {
        bench.ServiceBus.FailOn(0, new MessagingException(kind, "busy"), times: 5);

        await RunAsync(Some.Batch(1).Events.Count);

        Assert.Equal(6, bench.ServiceBus.Begun.Count);
        Assert.Equal([0L], bench.Checkpoints.Stored);
        Assert.Empty(bench.Faults.All);
    }

    [Fact]
    public async Task Gives_up_after_the_retry_limit_and_names_partition_and_event()
    {
        bench.Blob.FailOn(0, new MessagingException(FailureKind.Transient, "internal error"), times: 100);

        await Assert.ThrowsAsync<RunFaultException>(() => RunAsync(1));

        Assert.Equal([new RunFault(7, "event 0 of partition 0 failed at blob after 6 attempts: internal error")], bench.Faults.All);
        Assert.Empty(bench.Checkpoints.Stored);
    }

    [Fact]
    public async Task Begins_no_attempt_after_the_operation_limit()
    {
        bench.Blob
            .On(0, _ => SlowAsync(TimeSpan.FromSeconds(59.95)))
            .FailOn(0, new MessagingException(FailureKind.Transient, "internal error"));

        await Assert.ThrowsAsync<RunFaultException>(() => RunAsync(1));

        Assert.Equal("event 0 of partition 0 failed at blob after 1 attempt: timed out", bench.Faults.All.Single().Message);
    }

    [Fact]
    public async Task Gives_up_a_write_that_gets_no_answer_at_the_operation_limit()
    {
        bench.Blob.HangOn(0);

        await Assert.ThrowsAsync<RunFaultException>(() => RunAsync(1));

        Assert.Equal("event 0 of partition 0 failed at blob after 1 attempt: no answer within 60 s", bench.Faults.All.Single().Message);
        Assert.Equal(TimeSpan.FromSeconds(60), bench.Clock.Elapsed);
    }

    [Fact]
    public async Task Waits_at_least_as_long_as_the_sink_advises()
    {
        bench.Blob.FailOn(0, new MessagingException(FailureKind.Throttled, "busy") { RetryAfter = TimeSpan.FromSeconds(7) });

        await RunAsync(1);

        Assert.Equal(TimeSpan.FromSeconds(7), bench.Clock.Elapsed);
    }

    [Fact]
    public async Task Does_not_count_tries_that_found_no_connection()
    {
        bench.Blob
            .FailOn(0, new MessagingException(FailureKind.Unconnected, "nobody there"), times: 40)
            .FailOn(0, new MessagingException(FailureKind.Transient, "internal error"), times: 5);

        await RunAsync(1);

        Assert.Empty(bench.Faults.All);
        Assert.True(bench.Clock.Elapsed > TimeSpan.FromSeconds(60));
        Assert.Equal([0L], bench.Checkpoints.Stored);
    }

    [Theory]
    [InlineData(FailureKind.NotFound)]
    [InlineData(FailureKind.Unauthorized)]
    [InlineData(FailureKind.Unavailable)]
    [InlineData(FailureKind.Unreachable)]
    public async Task Ends_the_run_for_a_missing_service_whatever_the_event(FailureKind kind)
    {
        bench.ServiceBus.FailOn(0, new MessagingException(kind, "queue 'q': no"));

        await Assert.ThrowsAsync<RunFaultException>(() => RunAsync(1));

        Assert.Equal([new RunFault(4, "servicebus: queue 'q': no")], bench.Faults.All);
    }

    [Theory]
    [InlineData(FailureKind.TooLarge)]
    [InlineData(FailureKind.Permanent)]
    [InlineData(FailureKind.Conflict)]
    public async Task Does_not_repeat_what_another_try_would_not_change(FailureKind kind)
    {
        bench.ServiceBus.FailOn(0, new MessagingException(kind, "no"));

        await Assert.ThrowsAsync<RunFaultException>(() => RunAsync(1));

        Assert.Single(bench.ServiceBus.Begun);
        Assert.Equal(7, bench.Faults.All.Single().Code);
    }

    [Fact]
    public async Task Leaves_an_event_open_that_was_cut_during_a_pause()
    {
        bench.ServiceBus.FailOn(0, new MessagingException(FailureKind.Transient, "busy"), times: 100);
        var pump = bench.Open("baseline");

        var processing = pump.ProcessAsync(Some.Batch(1), Cancellation);
        await bench.Checkpoints.LoseAsync();
        await processing;

        Assert.Empty(bench.Checkpoints.Attempted);
    }

    public void Dispose() => bench.Dispose();

    private Task RunAsync(int events) => bench.RunAsync(bench.Open("baseline").ProcessAsync(Some.Batch(events), Cancellation), Cancellation);

    private Task SlowAsync(TimeSpan time)
    {
        bench.Clock.Advance(time);
        return Task.FromException(new MessagingException(FailureKind.Transient, "timed out"));
    }
}
