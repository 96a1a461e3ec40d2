using System.Buffers;
using System.IO.Pipelines;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Callers whose wait has ended: in the thread pool, or on the thread of a read loop that waits itself.</summary>
public sealed class InlineContinuationReadTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public Task A_waiting_caller_continues_on_the_thread_that_began_the_read() =>
        Task.Run(
            async () =>
            {
                var pipe = new Pipe();
                var here = Environment.CurrentManagedThreadId;
                var (ran, began) = (0, false);
                Task? flush = null;

                // Other threads may run during its work. Its own thread is not needed for anything.
                var caller = new Caller(() =>
                {
                    ran = Environment.CurrentManagedThreadId;
                    Assert.False(began);
                    pipe.Writer.Write(new byte[3]);
                    flush = pipe.Writer.FlushAsync(Cancelled).AsTask();
                });
                var read = await Begin(new InlineContinuationRead(pipe.Reader.ReadAsync(Cancelled), caller));
                began = true;
                await flush!;
                Assert.Equal(3, read.Buffer.Length);
                Assert.Equal(here, ran);
            },
            Cancelled
        );

    [Fact]
    public Task A_complete_read_continues_on_another_thread_while_its_guest_blocks() =>
        Task.Run(
            async () =>
            {
                var pipe = new Pipe();
                await pipe.Writer.WriteAsync(new byte[3], Cancelled);
                using var read = new ManualResetEventSlim();
                var done = new TaskCompletionSource();
                var caller = new Caller(() =>
                {
                    read.Wait(Cancelled);
                    done.SetResult();
                });
                var result = await new InlineContinuationRead(pipe.Reader.ReadAsync(Cancelled), caller);
                Assert.Equal(3, result.Buffer.Length);
                read.Set();
                await done.Task.WaitAsync(Cancelled);
            },
            Cancelled
        );

    [Fact]
    public async Task A_thread_that_is_not_the_pool_s_is_not_lent()
    {
        var pipe = new Pipe();
        var ran = new TaskCompletionSource<bool>();
        Task? read = null;
        var thread = new Thread(() => read = ReadAsync(new Caller(() => ran.SetResult(Thread.CurrentThread.IsThreadPoolThread))));
        thread.Start();
        thread.Join();
        Assert.True(await ran.Task.WaitAsync(Cancelled));
        await pipe.Writer.CompleteAsync();
        await read!;

        async Task ReadAsync(Caller caller) => Assert.True((await new InlineContinuationRead(pipe.Reader.ReadAsync(Cancelled), caller)).IsCompleted);
    }

    [Fact]
    public async Task The_read_loop_runs_a_single_answered_caller_and_none_of_two()
    {
        var gate = new Lock();
        var continuations = new ContinuationQueue(gate);
        var (first, second, third) = (new Waiter(), new Waiter(), new Waiter());

        continuations.BeginRead();
        Add(first);
        Assert.Same(first, continuations.EndRead(lends: true));
        Assert.False(first.Ran.IsCompleted);

        continuations.BeginRead();
        Assert.Null(continuations.EndRead(lends: true));

        continuations.BeginRead();
        Add(first);
        Add(second);
        Add(third);
        Assert.Null(continuations.EndRead(lends: true));
        await Task.WhenAll(first.Ran, second.Ran, third.Ran).WaitAsync(Cancelled);

        void Add(Waiter waiter)
        {
            lock (gate)
            {
                continuations.Add(waiter);
            }
        }
    }

    // A callback of a frame may take its time, or wait for a caller that was answered by the frame before.
    [Fact]
    public async Task A_caller_with_an_answer_continues_before_user_code_is_called()
    {
        using var continues = new ManualResetEventSlim();
        var acceptor = new WaitingAcceptor(continues);
        await using var listener = AmqpListener.Start(new AmqpListenerOptions(), _ => acceptor);
        await using var peer = await RawPeer.OpenAsync(listener, Cancelled);
        await peer.WriteAsync(
            0,
            Cancelled,
            new Begin { IncomingWindow = 100, OutgoingWindow = 100 },
            Serving.From("first") with
            {
                Role = LinkRole.Receiver,
            },
            new Flow
            {
                NextIncomingId = 0,
                IncomingWindow = 100,
                NextOutgoingId = 0,
                OutgoingWindow = 100,
                Handle = 0,
                DeliveryCount = 0,
                LinkCredit = 1,
            }
        );
        var transfer = await peer.ReadAsync<Transfer>(Cancelled);
        await peer.WriteAsync(
            0,
            Cancelled,
            new Disposition
            {
                Role = LinkRole.Receiver,
                First = transfer.DeliveryId!.Value,
                Settled = true,
                State = Accepted.Instance,
            },
            Serving.From("second") with
            {
                Handle = 1,
                Role = LinkRole.Receiver,
            }
        );
        Assert.Equal("second", (await peer.ReadAsync<Attach>(Cancelled)).Name);
        await acceptor.Sending.WaitAsync(Cancelled);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_caller_continues_in_the_thread_pool_outside_of_a_read_and_after_the_last_one(bool isReading)
    {
        var gate = new Lock();
        var continuations = new ContinuationQueue(gate);
        var waiter = new Waiter();
        if (isReading)
        {
            continuations.BeginRead();
        }

        lock (gate)
        {
            continuations.Add(waiter);
        }

        if (isReading)
        {
            Assert.Null(continuations.EndRead(lends: false));
        }

        await waiter.Ran.WaitAsync(Cancelled);
    }

    private static async Task<ReadResult> Begin(InlineContinuationRead read) => await read;

    // The first link sends and continues when that is answered. The second waits for it, as no callback should.
    private sealed class WaitingAcceptor(ManualResetEventSlim continues) : ILinkAcceptor
    {
        public Task Sending { get; private set; } = Task.CompletedTask;

        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            if (request.Attach.Name == "second")
            {
                continues.Wait(cancellationToken);
                request.AcceptSender(new LinkAnswer());
                return ValueTask.CompletedTask;
            }

            Sending = SendAsync(request.AcceptSender(new LinkAnswer()), cancellationToken);
            return ValueTask.CompletedTask;
        }

        private async Task SendAsync(AmqpSender sender, CancellationToken cancellationToken)
        {
            Assert.IsType<Accepted>(await sender.SendAsync(new byte[3], 0, cancellationToken));
            continues.Set();
        }
    }

    private sealed class Caller(Action continues) : IThreadPoolWorkItem
    {
        public void Execute() => continues();
    }

    private sealed class Waiter : IThreadPoolWorkItem
    {
        private readonly TaskCompletionSource ran = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Ran => ran.Task;

        public void Execute() => ran.SetResult();
    }
}
