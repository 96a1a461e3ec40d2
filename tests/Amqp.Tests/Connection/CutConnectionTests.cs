using System.Buffers;
using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>A connection that is cut after any of its bytes. Every waiting call at either end gets the reason, and nothing is left over.</summary>
[Collection<AloneCollection>]
public sealed class CutConnectionTests
{
    // Only a broken run reaches it.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private static readonly AmqpConnectionOptions Client = new() { Host = "memory", Port = 0 };

    [Fact]
    public async Task Every_pending_operation_ends_with_a_defined_error_when_the_connection_is_cut()
    {
        await SettleDownAsync();
        ConcurrentQueue<Exception> unobserved = [];
        void Observe(object? sender, UnobservedTaskExceptionEventArgs args) => unobserved.Enqueue(args.Exception);
        TaskScheduler.UnobservedTaskException += Observe;
        try
        {
            var whole = await RunAsync(long.MaxValue);
            Assert.Empty(whole.Failures);
            var cuts = Budget.IsCI ? 400 : 100;
            var failed = 0;
            for (var cut = 0; cut < cuts; cut++)
            {
                var lifetime = whole.Bytes * cut / cuts;
                foreach (var failure in (await RunAsync(lifetime)).Failures)
                {
                    failed++;
                    Assert.True(failure is AmqpException, $"cut behind {lifetime} of {whole.Bytes} bytes: {failure}");
                }
            }

            // Were there none, nothing would have waited.
            Assert.True(failed > cuts, $"{failed} operations failed in {cuts} cuts");
            await SettleDownAsync();
            Assert.Empty(unobserved);
        }
        finally
        {
            TaskScheduler.UnobservedTaskException -= Observe;
        }
    }

    // One conversation in which every kind of operation waits for the peer at some time. Keeps the failures and the bytes that were transferred.
    private static async Task<(IReadOnlyCollection<Exception> Failures, long Bytes)> RunAsync(long lifetime)
    {
        Watch watch = new();
        var (near, far) = DuplexStream.CreatePair();
        WatchedStream wire = new(near, lifetime);
        try
        {
            await using var pair = await AmqpConnectionPair
                .OpenAsync(Client, wire, new AmqpListenerOptions(), far, _ => new Peer(watch), CancellationToken.None)
                .WaitAsync(Patience, TimeProvider.System);
            watch.Add(ConverseAsync(pair.Client, watch));
            watch.Add(OtherSessionsAsync(pair.Client));
            await watch.ClientEndedAsync().WaitAsync(Patience, TimeProvider.System);
            await pair.DisposeAsync().AsTask().WaitAsync(Patience, TimeProvider.System);
        }
        catch (Exception exception) when (exception is AmqpException or IOException or ObjectDisposedException)
        {
            // It was cut before both ends had opened. A listener takes these three for the end of a handshake.
            Assert.True(lifetime < long.MaxValue, $"{exception}");
            watch.Failures.Enqueue(exception as AmqpException ?? new AmqpException(AmqpErrorScope.Transport, new("amqp:connection:forced", "cut"), exception));
        }

        await watch.AllEndedAsync().WaitAsync(Patience, TimeProvider.System);
        return (watch.Failures, wire.Passed);
    }

    private static async Task ConverseAsync(AmqpConnection connection, Watch watch)
    {
        var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), CancellationToken.None);
        var attachingSender = session.AttachSenderAsync(Serving.To("s"), CancellationToken.None);
        var attachingReceiver = session.AttachReceiverAsync(Serving.From("r") with { RcvSettleMode = ReceiverSettleMode.Second }, 2, CancellationToken.None);
        watch.Add(attachingReceiver);
        var sender = await attachingSender;
        Task[] sending = [.. Enumerable.Range(0, 8).Select(number => sender.SendAsync(new byte[1 + (number * 700)], 0, CancellationToken.None).AsTask())];
        watch.Add(Task.WhenAll(sending));

        var receiver = await attachingReceiver;
        for (var number = 0; number < 4; number++)
        {
            var delivery = await receiver.ReceiveAsync(CancellationToken.None);
            watch.Add(receiver.SettleAsync(delivery, Accepted.Instance, CancellationToken.None));
            receiver.AddCredit(1);
        }

        await receiver.DrainAsync(CancellationToken.None);
        watch.Add(receiver.DetachAsync(null, CancellationToken.None));
        await Task.WhenAll(sending);
        await sender.DetachAsync(null, CancellationToken.None);
        await session.EndAsync(null, CancellationToken.None);
    }

    private static async Task OtherSessionsAsync(AmqpConnection connection)
    {
        for (var number = 0; number < 3; number++)
        {
            await using var session = await connection.BeginSessionAsync(new AmqpSessionOptions(), CancellationToken.None);
            var receiver = await session.AttachReceiverAsync(Serving.From($"other {number}"), 1, CancellationToken.None);
            await receiver.ReceiveAsync(CancellationToken.None);
        }
    }

    private static async Task SettleDownAsync()
    {
        for (var round = 0; round < 3; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            await Task.Yield();
        }
    }

    /// <summary>The operations of both ends, and their outcomes.</summary>
    private sealed class Watch
    {
        private readonly ConcurrentQueue<Task> client = [];
        private readonly ConcurrentQueue<Task> server = [];

        public ConcurrentQueue<Exception> Failures { get; } = [];

        public void Add(Task operation) => client.Enqueue(GuardAsync(operation, Failures));

        // The server decides how the other end of a link learns of its end. It must learn of it.
        public void Serve(Task serving) => server.Enqueue(GuardAsync(serving, failures: null));

        public Task ClientEndedAsync() => EndedAsync(client);

        public async Task AllEndedAsync()
        {
            await EndedAsync(client);
            await EndedAsync(server);
        }

        private static async Task EndedAsync(ConcurrentQueue<Task> tasks)
        {
            while (tasks.TryDequeue(out var task))
            {
                await task;
            }
        }

        private static async Task GuardAsync(Task operation, ConcurrentQueue<Exception>? failures)
        {
            try
            {
                await operation;
            }
            catch (Exception exception) when (failures is not null || exception is AmqpException)
            {
                failures?.Enqueue(exception);
            }
        }
    }

    /// <summary>Accepts every message and sends four messages to each receiver. It answers a drain as soon as it sees it.</summary>
    private sealed class Peer(Watch watch) : ILinkAcceptor
    {
        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            watch.Serve(request.PeerIsSender ? TakeAsync(request.AcceptReceiver(new LinkAnswer(), 3)) : GiveAsync(request.AcceptSender(new LinkAnswer())));
            return ValueTask.CompletedTask;
        }

        private static async Task TakeAsync(AmqpReceiver receiver)
        {
            while (true)
            {
                receiver.Settle(await receiver.ReceiveAsync(CancellationToken.None), Accepted.Instance);
                receiver.AddCredit(1);
            }
        }

        private static async Task GiveAsync(AmqpSender sender)
        {
            sender.CreditChanged += () => CompleteDrain(sender);
            sender.DispositionReceived = static (delivery, state, settled) =>
            {
                if (!settled && state is not null)
                {
                    delivery.Settle(state);
                }
            };
            for (var number = 0; number < 4; number++)
            {
                await sender.TransferAsync(new ReadOnlySequence<byte>(new byte[300]), new OutgoingTransfer(), CancellationToken.None);
            }

            CompleteDrain(sender);
            await sender.Completion;
        }

        private static void CompleteDrain(AmqpSender sender)
        {
            if (sender.DrainRequested)
            {
                sender.CompleteDrain();
            }
        }
    }
}

/// <summary>Tests that look at what the whole process leaves over: nothing else runs beside them.</summary>
[CollectionDefinition(DisableParallelization = true)]
public sealed class AloneCollection;
