using EventHubThroughput.Clients;
using EventHubThroughput.Journal;
using EventHubThroughput.Sender.Input;
using EventHubThroughput.Sender.Sending;
using EventHubThroughput.Testing;
using EventHubThroughput.Workload;
using Xunit;

namespace EventHubThroughput.Sender.Tests;

public sealed class BufferedSendingTests : IDisposable
{
    private readonly TemporaryFolder folder = new();
    private readonly SendCounters counters = new(0);

    public void Dispose() => folder.Dispose();

    [Fact]
    public void Every_event_is_handed_over_with_its_key_and_is_in_the_ledger_once()
    {
        var buffer = new RecordingBuffer();

        Send(buffer, count: 250);

        var keys = Enumerable.Range(0, 250).Select(index => new KeyDistribution(7, 0, 1).GetKey(index)!).ToList();
        Assert.Equal(keys.Select((key, i) => ((long)i, key)), buffer.Added.Select(one => (EventStamp.Read(one.Event.Properties)!.Index, one.Key!)));
        Assert.Equal(
            keys.Select((key, i) => ((long)i, keys.Take(i).LongCount(earlier => earlier == key), SendOutcome.Acked)),
            Rows().Select(row => (row.Index, row.KeyIndex, row.Outcome))
        );
        Assert.Equal((250, 0, 0), (counters.Acknowledged, counters.Failed, counters.Unknown));
    }

    [Theory]
    [InlineData(FailureKind.NotFound, SendOutcome.Failed)]
    [InlineData(FailureKind.Throttled, SendOutcome.Failed)]
    [InlineData(FailureKind.Transient, SendOutcome.Unknown)]
    [InlineData(FailureKind.Unreachable, SendOutcome.Unknown)]
    public void A_failure_ends_the_run_with_a_true_ledger(FailureKind kind, SendOutcome outcome)
    {
        var buffer = new RecordingBuffer
        {
            IsSentImmediately = number => number == 5,
            GetOutcome = number => number == 5 ? new MessagingException(kind, "no") : null,
        };

        var failure = Assert.Throws<MessagingException>(() => Send(buffer, count: 100));

        // Events that were buffered before it are still sent. Nothing is begun after it.
        Assert.Equal("no", failure.Message);
        Assert.Equal(Enumerable.Range(0, 6).Select(i => ((long)i, i == 5 ? outcome : SendOutcome.Acked)), Rows().Select(row => (row.Index, row.Outcome)));
    }

    [Fact]
    public void An_event_too_large_for_any_batch_fails_alone()
    {
        var buffer = new RecordingBuffer { GetOutcome = number => number == 1 ? new MessagingException(FailureKind.TooLarge, "large") : null };

        Send(buffer, count: 3);

        Assert.Equal([SendOutcome.Acked, SendOutcome.Failed, SendOutcome.Acked], Rows().Select(row => row.Outcome));
    }

    [Fact]
    public void An_event_that_is_refused_when_it_is_added_is_known_to_have_failed()
    {
        var buffer = new RecordingBuffer
        {
            OnAdd = (number, _) => number == 2 ? throw new MessagingException(FailureKind.Permanent, "no list") : Task.CompletedTask,
        };

        Assert.Throws<MessagingException>(() => Send(buffer, count: 10));

        Assert.Equal([SendOutcome.Acked, SendOutcome.Acked, SendOutcome.Failed], Rows().Select(row => row.Outcome));
    }

    [Fact]
    public void An_outcome_that_is_reported_twice_counts_once()
    {
        Send(new RecordingBuffer { Times = _ => 2 }, count: 20);

        Assert.Equal(20, Rows().Count);
        Assert.Equal(20, counters.Attempted);
    }

    [Fact]
    public void Outcomes_that_come_after_the_flush_are_waited_for()
    {
        var took = VirtualTimeRunner.Run(clock =>
            SendAsync(new RecordingBuffer { BeforeOutcomes = () => clock.DelayAsync(TimeSpan.FromSeconds(3), CancellationToken.None) }, 5, clock)
        );

        Assert.Equal(TimeSpan.FromSeconds(3), took);
        Assert.Equal(5, counters.Acknowledged);
    }

    [Fact]
    public void An_event_without_an_outcome_is_unknown_after_the_time_limit_of_the_flush()
    {
        var took = VirtualTimeRunner.Run(clock => SendAsync(new RecordingBuffer { Times = number => number == 3 ? 0 : 1 }, 5, clock));

        Assert.Equal(new SendOptions { Run = "r" }.FlushLimit, took);
        Assert.Equal((4, 0, 1), (counters.Acknowledged, counters.Failed, counters.Unknown));
        Assert.Equal(SendOutcome.Unknown, Rows()[3].Outcome);
    }

    [Fact]
    public void A_stop_gives_a_full_buffer_the_grace_and_no_more()
    {
        var took = VirtualTimeRunner.Run(async clock =>
        {
            using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(1), clock);
            var full = new RecordingBuffer { OnAdd = (number, token) => number == 2 ? clock.DelayAsync(TimeSpan.FromHours(1), token) : Task.CompletedTask };

            await SendAsync(full, 10, clock, stop.Token);
        });

        Assert.Equal(TimeSpan.FromSeconds(11), took);
        Assert.Equal([SendOutcome.Unknown, SendOutcome.Unknown, SendOutcome.Unknown], Rows().Select(row => row.Outcome));
    }

    private void Send(RecordingBuffer buffer, int count) => VirtualTimeRunner.Run(clock => SendAsync(buffer, count, clock));

    private async Task SendAsync(RecordingBuffer buffer, int count, TimeProvider clock, CancellationToken stop = default)
    {
        using var recorder = new LedgerRecorder(folder.GetPath("ledger"), "hub", counters);
        recorder.Begin();
        var options = new SendOptions { Run = "run-1", IsBuffered = true };
        var source = new GeneratedSource(count, new PayloadFactory(1, 64), new KeyDistribution(7, 0, 1));
        await new SendLoop(halt => new BufferedSending(buffer, recorder, options, halt, clock), options, clock).RunAsync(source, stop);
        await buffer.Outcomes;
    }

    private List<LedgerRow> Rows() => [.. LedgerReader.Read(folder.GetPath("ledger")).OrderBy(row => row.Index)];
}
