using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;

namespace EventHubThroughput.Load;

/// <summary>
/// A sender at a fixed rate, a processor, and a receiver that empties the queue. The processor stores checkpoints and writes a part of its events to a
/// queue and to blobs. Failures are counted, because faults cause them.
/// </summary>
internal sealed class SoakLoad(IMessagingClients clients, IReadOnlyDictionary<string, string> settings, int rate, TimeProvider clock) : IAsyncDisposable
{
    private const int BlobNames = 200;
    private static readonly TimeSpan Turn = TimeSpan.FromMilliseconds(100);
    private static readonly byte[] Body = new byte[1_024];

    private readonly CancellationTokenSource _stop = new();
    private readonly IEventHubWriter _writer = clients.CreateEventHubWriter();
    private readonly IMessageSender _sender = clients.CreateMessageSender(settings["SERVICEBUS_QUEUE"]);
    private readonly IMessageReceiver _receiver = clients.CreateMessageReceiver(settings["SERVICEBUS_QUEUE"], new MessageReceiverOptions { Prefetch = 50 });
    private readonly IBlobContainer _blobs = clients.GetBlobContainer(settings["STORAGE_CONTAINER"]);
    private Task _running = Task.CompletedTask;
    private long _sent;
    private long _received;
    private long _messages;
    private long _failures;

    public long Sent => Interlocked.Read(ref _sent);

    public long Received => Interlocked.Read(ref _received);

    public long Messages => Interlocked.Read(ref _messages);

    public long Failures => Interlocked.Read(ref _failures);

    public void Start() => _running = Task.WhenAll(SendAsync(), ProcessAsync(), ReceiveAsync());

    /// <summary>Throws if a part of the load has ended before it was stopped.</summary>
    public void ThrowIfFailed()
    {
        if (_running.Exception is { } exception)
        {
            throw exception.Flatten();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _receiver.DisposeAsync();
        await _sender.DisposeAsync();
        await _writer.DisposeAsync();
        _stop.Dispose();
    }

    private async Task SendAsync()
    {
        using var timer = new PeriodicTimer(Turn, clock);
        var events = Math.Max(1, (int)(rate * Turn.TotalSeconds));
        for (var turn = 0; await NextAsync(timer); turn++)
        {
            await TryAsync(async token =>
            {
                var batch = await _writer.CreateBatchAsync(null, (turn % 4).ToString(CultureInfo.InvariantCulture), token);
                while (batch.Count < events && batch.TryAdd(new OutgoingEvent { Body = Body })) { }

                await _writer.SendAsync(batch, token);
                Interlocked.Add(ref _sent, batch.Count);
            });
        }
    }

    private async Task ProcessAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            var options = new EventHubProcessorOptions
            {
                Identifier = "soak",
                BatchSize = 100,
                TimeProvider = clock,
            };
            await TryAsync(token => clients.CreateProcessor(options, partition => new Handler(this, partition)).RunAsync(token));
        }
    }

    private async Task ReceiveAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            await TryAsync(async token =>
            {
                foreach (var message in await _receiver.ReceiveAsync(20, TimeSpan.FromSeconds(1), token))
                {
                    await _receiver.CompleteAsync(message, token);
                    Interlocked.Increment(ref _messages);
                }
            });
        }
    }

    private async Task<bool> NextAsync(PeriodicTimer timer)
    {
        try
        {
            return await timer.WaitForNextTickAsync(_stop.Token);
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    private async Task TryAsync(Func<CancellationToken, Task> operation)
    {
        try
        {
            await operation(_stop.Token);
        }
        catch (MessagingException)
        {
            Interlocked.Increment(ref _failures);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // The soak has ended.
        }
    }

    private sealed class Handler(SoakLoad load, IOwnedPartition partition) : IPartitionHandler
    {
        private int _batches;

        public async Task ProcessAsync(EventBatch batch, CancellationToken cancellationToken)
        {
            Interlocked.Add(ref load._received, batch.Events.Count);
            var last = new EventPosition(batch.Events[^1].SequenceNumber, batch.Events[^1].Offset);
            var number = Interlocked.Read(ref load._received);
            await load.TryAsync(async token =>
                await load._sender.SendAsync(new OutgoingMessage { MessageId = $"{partition.PartitionId}-{number}", Body = Body }, token)
            );
            await load.TryAsync(async token => await load._blobs.UploadAsync(new BlobUpload { Name = $"soak/{number % BlobNames}", Content = Body }, token));
            if (++_batches % 10 == 0)
            {
                await load.TryAsync(token => partition.CheckpointAsync(last, token));
            }
        }

        public Task CloseAsync(PartitionStopReason reason, CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
