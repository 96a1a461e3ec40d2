using EventHubThroughput.Clients;
using EventHubThroughput.Journal;
using EventHubThroughput.Sender.Input;
using EventHubThroughput.Sender.Sending;
using EventHubThroughput.Testing;
using EventHubThroughput.Workload;
using Xunit;

namespace EventHubThroughput.Sender.Tests;

public sealed class SendLoopTests : IDisposable
{
    private SendCounters? counters;
    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public void Every_event_is_sent_once_with_its_stamp_and_is_in_the_ledger()
    {
        var writer = new RecordingWriter();

        var rows = Send(writer, Generated(250, keys: 7));

        var stamps = writer.Events.ToDictionary(sent => EventStamp.Read(sent.Properties)!.Index);
        Assert.Equal(Enumerable.Range(0, 250).Select(i => (long)i), stamps.Keys.Order());
        Assert.Equal(250, rows.Count);
        var keys = new KeyDistribution(7, 0, 1);
        var before = new Dictionary<string, long>(StringComparer.Ordinal);
        var ofKey = Enumerable.Range(0, 250).Select(index => before[keys.GetKey(index)!] = before.GetValueOrDefault(keys.GetKey(index)!, -1) + 1).ToList();
        Assert.All(
            rows,
            row =>
            {
                var sent = stamps[row.Index];
                var stamp = EventStamp.Read(sent.Properties)!;
                Assert.Equal(new EventStamp(row.Run, row.Index, row.KeyIndex, row.Sha256, row.Length, row.Intended), stamp);
                Assert.Equal((EventStamp.Hash(sent.Body.Span), sent.Body.Length), (row.Sha256, (int)row.Length));
                Assert.Equal(("run-1", "hub", keys.GetKey(row.Index), ofKey[(int)row.Index]), (row.Run, row.Hub, row.Key, row.KeyIndex));
                Assert.Equal(SendOutcome.Acked, row.Outcome);
            }
        );
    }

    [Fact]
    public void Events_of_one_key_are_sent_in_order_and_never_in_two_concurrent_batches()
    {
        VirtualTimeRunner.Run(async clock =>
        {
            var random = new Random(7);
            var writer = new RecordingWriter { OnSend = (_, token) => clock.DelayAsync(TimeSpan.FromMilliseconds(random.Next(1, 50)), token) };

            await SendAsync(writer, Generated(2000, keys: 13), clock, batch: 10);

            Assert.All(writer.Sent, batch => Assert.InRange(batch.Events.Count, 1, 10));
            foreach (var key in writer.Sent.GroupBy(batch => batch.Key))
            {
                var indexes = key.SelectMany(batch => batch.Indexes).ToList();
                Assert.Equal(indexes.Order(), indexes);
            }

            Assert.Equal(2000, writer.Events.Count());
            Assert.InRange(writer.MostInFlight, 2, 8);
        });
    }

    [Fact]
    public void Events_that_are_sent_one_by_one_keep_the_order_in_which_their_keys_were_drawn()
    {
        var writer = new RecordingWriter();

        VirtualTimeRunner.Run(clock => SendAsync(writer, Generated(1000, keys: 50), clock, batch: 1, lanes: 1));

        Assert.All(writer.Sent, static batch => Assert.Single(batch.Events));
        Assert.Equal(Enumerable.Range(0, 1000).Select(static index => (long)index), writer.Sent.SelectMany(static batch => batch.Indexes));
        Assert.Equal(50, writer.Sent.Select(static batch => batch.Key).Distinct(StringComparer.Ordinal).Count());
    }

    [Fact]
    public void All_events_go_to_the_partition_that_was_named()
    {
        var writer = new RecordingWriter();

        VirtualTimeRunner.Run(clock => SendAsync(writer, Generated(30, keys: 0), clock, partition: "3"));

        Assert.All(writer.Sent, static batch => Assert.Equal("3", batch.Partition));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    public void Events_for_the_partition_that_was_named_keep_the_order_of_their_source(int batch)
    {
        VirtualTimeRunner.Run(async clock =>
        {
            var random = new Random(7);
            var writer = new RecordingWriter { OnSend = (_, token) => clock.DelayAsync(TimeSpan.FromMilliseconds(random.Next(1, 50)), token) };

            await SendAsync(writer, Generated(2000, keys: 0), clock, batch: batch, partition: "3");

            Assert.Equal(Enumerable.Range(0, 2000).Select(static index => (long)index), writer.Sent.SelectMany(static sent => sent.Indexes));
        });
    }

    [Fact]
    public void Events_without_a_key_fill_their_batches()
    {
        var writer = new RecordingWriter();

        Send(writer, Generated(1000, keys: 0), batch: 100);

        Assert.All(writer.Sent, batch => Assert.Null(batch.Key));
        Assert.Equal(1000, writer.Events.Count());
    }

    [Fact]
    public void A_batch_ends_where_the_next_event_does_not_fit()
    {
        var writer = new RecordingWriter { SizeLimit = 1000 };

        Send(writer, Generated(100, keys: 1, size: 300));

        Assert.All(writer.Sent, batch => Assert.InRange(batch.Events.Count, 1, 3));
        Assert.Equal(Enumerable.Range(0, 100).Select(i => (long)i), writer.Sent.SelectMany(batch => batch.Indexes));
    }

    [Fact]
    public void An_event_too_large_for_any_batch_fails_alone()
    {
        var writer = new RecordingWriter { SizeLimit = 1000 };

        var rows = Send(writer, new ListSource([Body(10), Body(1001), Body(10)]));

        Assert.Equal(
            [(0, SendOutcome.Acked), (1, SendOutcome.Failed), (2, SendOutcome.Acked)],
            rows.OrderBy(row => row.Index).Select(row => ((int)row.Index, row.Outcome))
        );
    }

    [Theory]
    [InlineData(FailureKind.NotFound, SendOutcome.Failed)]
    [InlineData(FailureKind.Unauthorized, SendOutcome.Failed)]
    [InlineData(FailureKind.TooLarge, SendOutcome.Failed)]
    [InlineData(FailureKind.Throttled, SendOutcome.Failed)]
    [InlineData(FailureKind.Transient, SendOutcome.Unknown)]
    [InlineData(FailureKind.Unreachable, SendOutcome.Unknown)]
    public void A_failed_send_ends_the_run_with_a_true_ledger(FailureKind kind, SendOutcome outcome)
    {
        var writer = new RecordingWriter { OnSend = (number, _) => number == 2 ? throw new MessagingException(kind, "no") : Task.CompletedTask };

        var failure = Assert.Throws<MessagingException>(() => Send(writer, Generated(500, keys: 1), batch: 10));

        Assert.Equal("no", failure.Message);
        var rows = LedgerReader.Read(folder.GetPath("ledger")).OrderBy(row => row.Index).ToList();
        Assert.Equal(30, rows.Count);
        Assert.All(rows.Take(20), row => Assert.Equal(SendOutcome.Acked, row.Outcome));
        Assert.All(rows.Skip(20), row => Assert.Equal(outcome, row.Outcome));
    }

    [Fact]
    public void A_batch_that_cannot_be_opened_is_known_to_have_failed()
    {
        var writer = new RecordingWriter { OnCreate = _ => new MessagingException(FailureKind.Unreachable, "away") };

        Assert.Throws<MessagingException>(() => Send(writer, Generated(3, keys: 1)));

        Assert.Equal(SendOutcome.Failed, Assert.Single(LedgerReader.Read(folder.GetPath("ledger"))).Outcome);
    }

    [Fact]
    public void A_rate_is_kept_for_any_delays_of_the_replies()
    {
        var took = VirtualTimeRunner.Run(async clock =>
        {
            // Each answer takes a second: a loop that waited for it would need 50.
            var writer = new RecordingWriter { OnSend = (_, token) => clock.DelayAsync(TimeSpan.FromSeconds(1), token) };

            // Different keys, so that the lanes are taken in turn.
            var events = Enumerable.Range(0, 50).Select(index => Body(64) with { Key = $"key-{index}" });
            await SendAsync(writer, new ListSource([.. events]), clock, rate: 10, lanes: 16);

            Assert.Equal(50, writer.Events.Count());
        });

        Assert.Equal(TimeSpan.FromSeconds(5.9), took);
        var rows = LedgerReader.Read(folder.GetPath("ledger")).OrderBy(row => row.Index).ToList();
        Assert.All(rows, row => Assert.Equal(rows[0].Intended + (100 * row.Index), row.Intended));
        Assert.All(rows, row => Assert.True(row.Actual >= row.Intended));
    }

    [Fact]
    public void A_sender_that_was_delayed_catches_up_and_reports_its_lateness()
    {
        var took = VirtualTimeRunner.Run(async clock =>
        {
            var writer = new RecordingWriter
            {
                OnSend = (number, token) => number == 1 ? clock.DelayAsync(TimeSpan.FromSeconds(2), token) : Task.CompletedTask,
            };

            await SendAsync(writer, Generated(50, keys: 1), clock, batch: 1, rate: 10, lanes: 1);
        });

        Assert.Equal(TimeSpan.FromSeconds(4.9), took);
        var late = LedgerReader.Read(folder.GetPath("ledger")).OrderBy(row => row.Index).Select(row => row.Actual - row.Intended).ToList();
        Assert.Equal([0, 0, 1900, 1800], late[..4]);
        Assert.All(late[21..], one => Assert.Equal(0, one));
        Assert.Equal(TimeSpan.FromSeconds(1.9), counters!.MostLate);
    }

    [Fact]
    public void A_stop_lets_sends_under_way_finish_and_tries_no_further_event()
    {
        VirtualTimeRunner.Run(async clock =>
        {
            using var stop = new CancellationTokenSource(TimeSpan.FromMilliseconds(950), clock);
            var writer = new RecordingWriter { OnSend = (_, token) => clock.DelayAsync(TimeSpan.FromMilliseconds(100), token) };

            await SendAsync(writer, Generated(10_000, keys: 1), clock, batch: 5, stop: stop.Token);

            Assert.Equal(50, writer.Events.Count());
        });

        var ledger = LedgerFile.Open(folder.GetPath("ledger"));
        Assert.Equal(50, ledger.Rows.Count(row => row.Outcome == SendOutcome.Acked));
        Assert.False(ledger.EndsEarly);
    }

    [Fact]
    public void A_send_that_outlasts_the_grace_is_unknown()
    {
        var took = VirtualTimeRunner.Run(async clock =>
        {
            using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(1), clock);
            var writer = new RecordingWriter { OnSend = (_, token) => clock.DelayAsync(TimeSpan.FromHours(1), token) };

            await SendAsync(writer, Generated(3, keys: 1), clock, stop: stop.Token);
        });

        Assert.Equal(TimeSpan.FromSeconds(11), took);
        Assert.All(LedgerReader.Read(folder.GetPath("ledger")), row => Assert.Equal(SendOutcome.Unknown, row.Outcome));
    }

    private static SourceEvent Body(int length) => new(new byte[length], null, "k");

    private static GeneratedSource Generated(long count, int keys, int size = 64) => new(count, new PayloadFactory(1, size), new KeyDistribution(keys, 0, 1));

    private List<LedgerRow> Send(RecordingWriter writer, IEventSource source, int batch = 100)
    {
        VirtualTimeRunner.Run(clock => SendAsync(writer, source, clock, batch: batch));
        return [.. LedgerReader.Read(folder.GetPath("ledger"))];
    }

    private async Task SendAsync(
        RecordingWriter writer,
        IEventSource source,
        VirtualClock clock,
        int batch = 100,
        double? rate = null,
        int lanes = 8,
        string? partition = null,
        CancellationToken stop = default
    )
    {
        counters = new SendCounters(source.Count);
        using var recorder = new LedgerRecorder(folder.GetPath("ledger"), "hub", counters);
        recorder.Begin();
        var options = new SendOptions
        {
            Run = "run-1",
            Batch = batch,
            Rates = rate is { } perSecond ? [(perSecond, TimeSpan.Zero)] : null,
            Lanes = lanes,
            Partition = partition,
        };
        await new SendLoop(halt => new LaneSending(writer, recorder, options, halt, clock), options, clock).RunAsync(source, stop);
    }

    private sealed class ListSource(IReadOnlyList<SourceEvent> events) : IEventSource
    {
        public long Count => events.Count;

        public IEnumerable<SourceEvent> Read() => events;
    }
}
