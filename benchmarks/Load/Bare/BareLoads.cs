using System.Globalization;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Processor;
using Azure.Messaging.EventHubs.Producer;
using Azure.Messaging.ServiceBus;
using Azure.Storage.Blobs;

namespace EventHubThroughput.Load.Bare;

/// <summary>
/// The loads of <see cref="CeilingLoads"/>, written against the clients of the official packages, with the same events, degrees and conditions but
/// without the adapter. The difference to the family that uses the packages is the cost of the adapter.
/// </summary>
/// <param name="backlog">The events that are sent first for the load that receives.</param>
/// <param name="window">How long the other loads are counted.</param>
/// <param name="clock">The clock.</param>
internal sealed class BareLoads(int backlog, TimeSpan window, TimeProvider clock)
{
    /// <summary>The name of the figures in tables.</summary>
    public const string Name = "bare";

    private static readonly Dictionary<string, object?> NoProperties = [];

    /// <summary>Each kind of operation alone, in the order of <see cref="CeilingLoads.Parts"/>.</summary>
    public IReadOnlyList<Func<EmulatorProcess, CancellationToken, Task<Measured>>> Parts =>
        [
            (emulator, token) => SendAsync(emulator, 1, 64, token),
            (emulator, token) => SendAsync(emulator, CeilingLoads.BatchEvents, 8, token),
            ReceiveAsync,
            WriteMessagesAsync,
            WriteBlobsAsync,
            WriteCheckpointsAsync,
        ];

    /// <summary>The load of <see cref="CeilingLoads.EventJob"/>.</summary>
    public async Task<Measured> DoEventJobAsync(EmulatorProcess emulator, int events, CancellationToken cancellationToken)
    {
        await CeilingLoads.FillAsync(emulator, events, CeilingLoads.Stamp, cancellationToken);
        await using var clients = new BareClients(emulator.Settings);
        return await ConsumeAsync(
            emulator,
            clients,
            events,
            async (partitionId, batch, processor, token) =>
            {
                var options = new ParallelOptions { MaxDegreeOfParallelism = BacklogCount.UnderWay, CancellationToken = token };
                await Parallel.ForEachAsync(batch, options, (one, each) => WriteAsync(partitionId, one, clients, each));
                await processor.CheckpointAsync(partitionId, batch[^1], token);
            },
            cancellationToken
        );
    }

    /// <summary>Writes the message and the blob of an event concurrently.</summary>
    public static async ValueTask WriteAsync(string partitionId, EventData one, BareClients clients, CancellationToken cancellationToken)
    {
        var name = $"{partitionId}/{one.SequenceNumber}";
        var message = new ServiceBusMessage(one.EventBody) { MessageId = name, ContentType = one.ContentType };
        foreach ((var key, var value) in one.Properties)
        {
            message.ApplicationProperties.Add(key, value);
        }

        await Task.WhenAll(
            clients.Sender.SendMessageAsync(message, cancellationToken),
            clients.Archive.GetBlobClient(name).UploadAsync(one.EventBody, BareClients.Upload, cancellationToken)
        );
    }

    private async Task<Measured> SendAsync(EmulatorProcess emulator, int events, int lanes, CancellationToken cancellationToken)
    {
        await using var clients = new BareClients(emulator.Settings);
        return await MeasureAsync(
            emulator,
            lanes,
            async (lane, token) =>
            {
                var options = new CreateBatchOptions() { PartitionId = (lane % CeilingLoads.UsualPartitions).ToString(CultureInfo.InvariantCulture) };
                using var batch = await clients.Producer.CreateBatchAsync(options, token);
                while (batch.Count < events && batch.TryAdd(new EventData(CeilingLoads.Body))) { }

                await clients.Producer.SendAsync(batch, token);
                return batch.Count;
            },
            cancellationToken
        );
    }

    private async Task<Measured> ReceiveAsync(EmulatorProcess emulator, CancellationToken cancellationToken)
    {
        await CeilingLoads.FillAsync(emulator, backlog, NoProperties, cancellationToken);
        await using var clients = new BareClients(emulator.Settings);
        return await ConsumeAsync(
            emulator,
            clients,
            backlog,
            static (_, batch, _, _) =>
            {
                Read(batch);
                return Task.CompletedTask;
            },
            cancellationToken
        );
    }

    // Reads the body and the number of each event, which every consumer needs. The adapter has read them before it calls its handler.
    private static void Read(IReadOnlyList<EventData> batch)
    {
        var bytes = 0;
        foreach (var one in batch)
        {
            bytes += one.SequenceNumber < 0 ? 0 : one.EventBody.ToMemory().Length;
        }

        if (bytes != batch.Count * CeilingLoads.Body.Length)
        {
            throw new InvalidOperationException("The events are not those that were sent.");
        }
    }

    private async Task<Measured> WriteMessagesAsync(EmulatorProcess emulator, CancellationToken cancellationToken)
    {
        await using var clients = new BareClients(emulator.Settings);
        long number = 0;
        return await MeasureAsync(
            emulator,
            64,
            async (_, token) =>
            {
                var id = Interlocked.Increment(ref number).ToString(CultureInfo.InvariantCulture);
                await clients.Sender.SendMessageAsync(new ServiceBusMessage(CeilingLoads.Body) { MessageId = id }, token);
                return 1;
            },
            cancellationToken
        );
    }

    private async Task<Measured> WriteBlobsAsync(EmulatorProcess emulator, CancellationToken cancellationToken)
    {
        await using var clients = new BareClients(emulator.Settings);
        long number = 0;
        return await MeasureAsync(
            emulator,
            32,
            async (_, token) =>
            {
                var blob = clients.Archive.GetBlobClient($"blob/{Interlocked.Increment(ref number)}");
                await blob.UploadAsync(BinaryData.FromBytes(CeilingLoads.Body), BareClients.Upload, token);
                return 1;
            },
            cancellationToken
        );
    }

    private async Task<Measured> WriteCheckpointsAsync(EmulatorProcess emulator, CancellationToken cancellationToken)
    {
        await using var clients = new BareClients(emulator.Settings);
        var store = clients.CreateCheckpointStore();
        var last = new long[CeilingLoads.UsualPartitions];
        return await MeasureAsync(
            emulator,
            last.Length,
            async (lane, token) =>
            {
                await store.UpdateCheckpointAsync(
                    "127.0.0.1",
                    clients.EventHubName,
                    "$Default",
                    lane.ToString(CultureInfo.InvariantCulture),
                    "ceiling",
                    new CheckpointPosition("1024", ++last[lane]),
                    token
                );
                return 1;
            },
            cancellationToken
        );
    }

    private async Task<Measured> ConsumeAsync(
        EmulatorProcess emulator,
        BareClients clients,
        int events,
        Func<string, IReadOnlyList<EventData>, BareProcessor, CancellationToken, Task> treatAsync,
        CancellationToken cancellationToken
    )
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var meter = new BacklogMeter(events, events / 4, stop.Cancel, clock, () => Spent.By(emulator));
        var processor = new BareProcessor(
            clients,
            CeilingLoads.Processor,
            async (partitionId, batch, owner, token) =>
            {
                await treatAsync(partitionId, batch, owner, token);
                meter.Add(batch.Count);
            }
        );
        await processor.RunAsync(stop.Token);
        return meter.Measured;
    }

    private async Task<Measured> MeasureAsync(
        EmulatorProcess emulator,
        int lanes,
        Func<int, CancellationToken, Task<int>> operation,
        CancellationToken cancellationToken
    )
    {
        var before = default(Spent);
        var counted = await ClosedLoop.RunAsync(lanes, ClosedLoop.ShortWarmUp, window, operation, () => before = Spent.By(emulator), clock, cancellationToken);
        return new Measured(counted.Events, counted.Window, Spent.By(emulator) - before) { RoundTrip = counted.RoundTrip };
    }
}
