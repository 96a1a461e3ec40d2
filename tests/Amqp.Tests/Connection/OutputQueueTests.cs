using System.Buffers;
using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

public sealed class OutputQueueTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Patience = TimeSpan.FromMicroseconds(100);

    private readonly Lock gate = new();
    private readonly VirtualClock clock = new();
    private readonly GrudgingStream stream = new();

    [Fact]
    public async Task A_peer_that_is_slow_but_moves_is_kept_however_long_the_queue_takes()
    {
        using var queue = NewQueue();
        Fill(queue, 20 * 65_536);
        var running = queue.RunAsync();
        for (var slice = 0; slice < 20; slice++)
        {
            Assert.InRange(await stream.NextWriteAsync(TestContext.Current.CancellationToken), 1, 65_536);
            clock.Advance(Limit - TimeSpan.FromSeconds(1));
            stream.Take();
        }

        Complete(queue);
        await running;
        Assert.True(clock.Elapsed > 10 * Limit);
    }

    [Fact]
    public async Task A_peer_that_accepts_some_bytes_and_then_stalls_is_given_up()
    {
        using var queue = NewQueue();
        Fill(queue, 4 * 65_536);
        var running = queue.RunAsync();
        await stream.NextWriteAsync(TestContext.Current.CancellationToken);
        stream.Take();
        await stream.NextWriteAsync(TestContext.Current.CancellationToken);
        clock.Advance(Limit - TimeSpan.FromTicks(1));
        Assert.False(running.IsCompleted);
        clock.Advance(TimeSpan.FromTicks(1));
        Assert.Equal(AmqpErrorScope.Transport, (await Assert.ThrowsAsync<AmqpException>(() => running)).Scope);
    }

    [Fact]
    public async Task A_write_is_reported_to_its_caller_when_all_bytes_were_accepted()
    {
        using var queue = NewQueue();
        var written = new List<int>();
        Fill(queue, 2 * 65_536);
        lock (gate)
        {
            queue.WhenWritten(() => written.Add(1));
        }

        var running = queue.RunAsync();
        await stream.NextWriteAsync(TestContext.Current.CancellationToken);
        Fill(queue, 2 * 65_536);
        lock (gate)
        {
            queue.WhenWritten(() => written.Add(2));
        }

        stream.Take();
        await stream.NextWriteAsync(TestContext.Current.CancellationToken);
        Assert.Empty(written);
        stream.Take();
        await stream.NextWriteAsync(TestContext.Current.CancellationToken);
        Assert.Equal([1], written);
        clock.Advance(Limit);
        await Assert.ThrowsAsync<AmqpException>(() => running);
        Assert.Equal([1], written);
    }

    [Fact]
    public async Task Frames_of_callers_that_were_answered_together_go_out_as_one_write()
    {
        using var queue = NewQueue();
        Answer(queue, 3);
        var running = queue.RunAsync();
        for (var caller = 0; caller < 3; caller++)
        {
            Fill(queue, 10);
            queue.Resumed();
        }

        Assert.Equal(30, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task Nothing_waits_for_callers_that_were_answered_after_it()
    {
        using var queue = NewQueue();
        Answer(queue, 1);
        Fill(queue, 10);
        Answer(queue, 1);
        var running = queue.RunAsync();
        queue.Resumed();
        Assert.Equal(10, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task A_frame_that_is_encoded_alone_is_written_by_its_encoder()
    {
        using var queue = NewQueue();
        var running = queue.RunAsync();
        Send(queue, 10, alone: true);
        Assert.True(stream.TryNextWrite(out var written));
        Assert.Equal(10, written);
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task A_frame_that_is_encoded_alone_waits_for_callers_that_were_answered_before()
    {
        using var queue = NewQueue();
        var running = queue.RunAsync();
        Answer(queue, 1);
        Send(queue, 10, alone: true);
        Assert.False(stream.TryNextWrite(out _));
        Fill(queue, 10);
        queue.Resumed();
        Assert.Equal(20, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task A_writer_of_a_frame_that_is_encoded_alone_is_not_kept_for_frames_of_others()
    {
        using var queue = NewQueue();
        var running = queue.RunAsync();
        var lender = Environment.CurrentManagedThreadId;
        var isLent = true;
        var byLender = new ConcurrentQueue<bool>();
        stream.Writing = () =>
        {
            byLender.Enqueue(Volatile.Read(ref isLent) && Environment.CurrentManagedThreadId == lender);
            stream.Take();
            if (byLender.Count == 1)
            {
                Fill(queue, 20);
            }
        };
        Send(queue, 10, alone: true);
        Volatile.Write(ref isLent, false);
        Assert.Equal(10, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        Assert.Equal(20, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        Assert.Equal([true, false], byLender);
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task A_frame_that_is_encoded_alone_while_the_loop_writes_is_left_to_the_loop()
    {
        using var queue = NewQueue();
        var running = queue.RunAsync();
        Send(queue, 10, alone: true);
        Send(queue, 20, alone: true);
        Assert.Equal(10, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        Assert.False(stream.TryNextWrite(out _));
        stream.Take();
        Assert.Equal(20, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task The_loop_writes_the_next_frame_after_a_failed_encoding()
    {
        using var queue = NewQueue();
        var running = queue.RunAsync();
        void Fail()
        {
            using var scope = new WritingScope(gate, queue);
            queue.BeginAlone();
            throw new InvalidOperationException();
        }

        Assert.Throws<InvalidOperationException>(Fail);
        Fill(queue, 10);
        Assert.Equal(10, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task Output_that_has_waited_too_long_is_written_by_the_next_sender()
    {
        using var queue = NewQueue();
        var running = queue.RunAsync();
        Answer(queue, 1);
        Send(queue, 10);
        clock.Advance(Patience);
        Send(queue, 20);
        Assert.False(stream.TryNextWrite(out _));
        clock.Advance(TimeSpan.FromTicks(1));
        Send(queue, 30);
        Assert.True(stream.TryNextWrite(out var written));
        Assert.Equal(60, written);
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task Output_that_has_waited_too_long_stays_queued_while_the_sender_cannot_write_it()
    {
        using var queue = NewQueue();
        var running = queue.RunAsync();
        Answer(queue, 1);
        Fill(queue, 10);
        clock.Advance(2 * Patience);
        Fill(queue, 20);
        Assert.False(stream.TryNextWrite(out _));
        queue.Resumed();
        Assert.Equal(30, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task Frames_that_are_gathered_after_a_late_write_wait_for_the_same_time_again()
    {
        using var queue = NewQueue();
        var running = queue.RunAsync();
        Answer(queue, 1);
        Send(queue, 10);
        clock.Advance(2 * Patience);
        Send(queue, 20);
        Assert.Equal(30, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        stream.Take();
        Send(queue, 40);
        Send(queue, 50);
        Assert.False(stream.TryNextWrite(out _));
        queue.Resumed();
        Assert.Equal(90, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task A_whole_slice_is_written_without_a_wait()
    {
        using var queue = NewQueue();
        Answer(queue, 1);
        Fill(queue, 65_536);
        var running = queue.RunAsync();
        Assert.Equal(65_536, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
        await EndAsync(queue, running);
    }

    [Fact]
    public async Task The_end_of_the_queue_writes_without_a_wait()
    {
        using var queue = NewQueue();
        Answer(queue, 1);
        Fill(queue, 10);
        var running = queue.RunAsync();
        await EndAsync(queue, running);
        Assert.Equal(10, await stream.NextWriteAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public void A_burst_of_equal_settlements_becomes_one_frame()
    {
        using var queue = NewQueue();
        for (var id = uint.MaxValue - 1; id != 5; id++)
        {
            Settle(queue, 0, id, Accepted.Instance);
        }

        var joined = Assert.Single(Dispositions(queue));
        Assert.Equal((uint.MaxValue - 1, (uint?)4), (joined.First, joined.Last));
    }

    [Fact]
    public void Settlements_of_other_outcome_channel_side_or_number_are_never_joined()
    {
        using var queue = NewQueue();
        Settle(queue, 0, 1, Accepted.Instance);
        Settle(queue, 0, 2, Released.Instance);
        Settle(queue, 1, 3, Released.Instance);
        Settle(queue, 1, 5, Released.Instance);
        Settle(queue, 1, 6, Released.Instance, LinkRole.Sender);
        Settle(queue, 1, 7, new Rejected(new AmqpError("a:b")));
        Settle(queue, 1, 8, new Rejected(new AmqpError("a:c")));
        Assert.All(Dispositions(queue), static disposition => Assert.Null(disposition.Last));
        Assert.Equal(7, Dispositions(queue).Count);
    }

    [Fact]
    public async Task A_disposition_that_is_being_written_already_is_not_merged()
    {
        using var queue = NewQueue();
        Settle(queue, 0, 1, Accepted.Instance);
        var running = queue.RunAsync();
        await stream.NextWriteAsync(TestContext.Current.CancellationToken);
        Settle(queue, 0, 2, Accepted.Instance);
        Assert.Equal((2u, null), Assert.Single(Dispositions(queue)) is var next ? (next.First, next.Last) : default);
        Complete(queue);
        stream.Take();
        stream.Take();
        await running;
    }

    public void Dispose() => stream.Dispose();

    private OutputQueue NewQueue()
    {
        var settings = ConnectionSettings.Of(new AmqpListenerOptions { StalledPeerTimeout = Limit, TimeProvider = clock });
        return new OutputQueue(stream, gate, settings, static () => { });
    }

    private void Fill(OutputQueue queue, int bytes)
    {
        lock (gate)
        {
            queue.Buffer.Write(new byte[bytes]);
            queue.Commit();
        }
    }

    private void Send(OutputQueue queue, int bytes, bool alone = false)
    {
        using var scope = new WritingScope(gate, queue);
        if (alone)
        {
            queue.BeginAlone();
        }

        queue.Buffer.Write(new byte[bytes]);
        queue.Commit();
    }

    private void Answer(OutputQueue queue, int callers)
    {
        lock (gate)
        {
            for (var caller = 0; caller < callers; caller++)
            {
                queue.Resuming();
            }
        }
    }

    private async Task EndAsync(OutputQueue queue, Task running)
    {
        Complete(queue);
        stream.Take();
        await running;
    }

    private void Settle(OutputQueue queue, ushort channel, uint id, DeliveryState state, LinkRole role = LinkRole.Receiver)
    {
        lock (gate)
        {
            queue.WriteDisposition(
                channel,
                new DispositionHead
                {
                    Role = role,
                    First = id,
                    Settled = true,
                    State = state,
                }
            );
        }
    }

    private void Complete(OutputQueue queue)
    {
        lock (gate)
        {
            queue.Complete();
        }
    }

    private static List<Disposition> Dispositions(OutputQueue queue)
    {
        var found = new List<Disposition>();
        var bytes = new ReadOnlySequence<byte>(queue.Buffer.Written);
        while (FrameReader.TryRead(ref bytes, uint.MaxValue, out var frame))
        {
            found.Add(Assert.IsType<Disposition>(frame.Performative));
        }

        return found;
    }
}
