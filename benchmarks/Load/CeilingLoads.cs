using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Load;

/// <summary>The figures of one load: events, their time, and the resources that both ends used.</summary>
internal readonly record struct Measured(long Events, TimeSpan Took, Spent Spent)
{
    /// <summary>The mean time of an operation, from its start to its answer. Null where operations do not wait for each other.</summary>
    public TimeSpan? RoundTrip { get; init; }

    public double Rate => Events / Took.TotalSeconds;

    public double EmulatorMicroseconds => Spent.Emulator.TotalMicroseconds / Events;

    public double ClientMicroseconds => Spent.Client.TotalMicroseconds / Events;

    public double ClientBytes => (double)Spent.ClientBytes / Events;
}

/// <summary>The loads of the ceiling. Each runs one kind of operation as fast as a family of clients can.</summary>
/// <param name="family">The family of clients.</param>
/// <param name="backlog">The events that are sent first for the load that receives.</param>
/// <param name="window">How long the other loads are counted.</param>
/// <param name="clock">The clock.</param>
internal sealed class CeilingLoads(ClientFamily family, int backlog, TimeSpan window, TimeProvider clock)
{
    /// <summary>Large enough for the backlog that is received. A sender fills it within seconds, and then the oldest events are removed.</summary>
    public const int RetentionBytes = 100 * 1024 * 1024;

    /// <summary>The default number of partitions.</summary>
    public const int UsualPartitions = 4;

    private const int ManyPartitions = 128;
    private const int Size = 1_024;
    private const int WholeJobEvents = 60_000;

    /// <summary>Events of the loads that send batches.</summary>
    public const int BatchEvents = 100;

    private const string WholeJob = "receive, message and blob, 64 under way";

    /// <summary>The body of every event, message and blob.</summary>
    public static readonly byte[] Body = new byte[Size];

    /// <summary>Properties as the sender writes them on every event of a run.</summary>
    public static readonly IReadOnlyDictionary<string, object?> Stamp = EventStamp
        .Of("run", index: 12_345, keyIndex: 123, Body, DateTimeOffset.UnixEpoch.AddYears(50))
        .ToProperties();

    /// <summary>The options of the processor in every load that receives.</summary>
    public static readonly EventHubProcessorOptions Processor = new()
    {
        Identifier = "ceiling",
        Prefetch = 1_000,
        BatchSize = 300,
    };

    /// <summary>Time at full load that is not counted.</summary>
    public TimeSpan WarmUp { get; init; } = ClosedLoop.ShortWarmUp;

    /// <summary>Called at the beginning and at the end of the measured window.</summary>
    public Action? Counting { get; init; }

    /// <summary>Each kind of operation alone.</summary>
    public IReadOnlyList<CeilingLoad> Parts =>
        [
            new("send, one event each, 64 under way", (emulator, token) => SendAsync(emulator, UsualPartitions, 1, 64, token)),
            new($"send, batches of {BatchEvents}, 8 under way", (emulator, token) => SendAsync(emulator, UsualPartitions, BatchEvents, 8, token)),
            new("receive, 4 partitions, prefetch 1,000", ReceiveAsync),
            new("message write, 64 under way", WriteMessagesAsync, MessageLife: "5s"),
            // About 2 KB for each of 25,000 writes a second, for the 50 s of the longest measurement.
            new("blob write, 32 under way", WriteBlobsAsync, MemoryLimit: 4096),
            new("checkpoint, 4 partitions, one each under way", WriteCheckpointsAsync),
        ];

    /// <summary>The rates of many concurrent senders, with the default partitions and with many. Saved allocations must not lower them.</summary>
    public IReadOnlyList<CeilingLoad> Parity =>
        [
            .. new[] { UsualPartitions, ManyPartitions }.Select(partitions => new CeilingLoad(
                $"send, one event each, 256 under way, {partitions} partitions",
                (emulator, token) => SendAsync(emulator, partitions, 1, 256, token),
                Partitions: partitions
            )),
        ];

    /// <summary>
    /// The main job without a strategy and without checkpoints, an upper bound for every strategy. It runs with a journal, as every run does, and
    /// without, which shows the cost of the journal.
    /// </summary>
    public IReadOnlyList<CeilingLoad> WholeJobs =>
        [
            new($"the whole job with a journal: {WholeJob}", DoWholeJobsAsync, WithJournal: true),
            new($"the whole job without a journal: {WholeJob}", DoWholeJobsAsync),
        ];

    /// <summary>
    /// The work of a run for its stamped events: a message and a blob for each event, 64 events in flight, and a checkpoint after each batch.
    /// </summary>
    /// <param name="events">The events that are sent first.</param>
    public CeilingLoad EventJob(int events) => new("receive, message, blob, checkpoint a batch", (emulator, token) => DoEventJobAsync(emulator, events, token));

    /// <summary>Sends the events for the loads that receive. It uses the built-in clients, so that every family finds the process in the same state.</summary>
    public static async Task FillAsync(
        EmulatorProcess emulator,
        int events,
        IReadOnlyDictionary<string, object?> properties,
        CancellationToken cancellationToken,
        int partitions = UsualPartitions
    )
    {
        await using var clients = emulator.CreateClients(ClientFamily.BuiltIn);
        await using var writer = clients.CreateEventHubWriter();
        var one = new OutgoingEvent { Body = Body, Properties = properties };
        for (var sent = 0; sent < events; )
        {
            var lanes = Enumerable.Range(0, UsualPartitions).Select(lane => SendAsync(writer, lane % partitions, one, BatchEvents, cancellationToken));
            sent += (await Task.WhenAll(lanes)).Sum();
        }
    }

    private async Task<Measured> SendAsync(EmulatorProcess emulator, int partitions, int events, int lanes, CancellationToken cancellationToken)
    {
        await using var clients = emulator.CreateClients(family);
        await using var writer = clients.CreateEventHubWriter();
        return await MeasureAsync(
            emulator,
            lanes,
            (lane, token) => SendAsync(writer, lane % partitions, new OutgoingEvent { Body = Body }, events, token),
            cancellationToken
        );
    }

    private async Task<Measured> WriteMessagesAsync(EmulatorProcess emulator, CancellationToken cancellationToken)
    {
        await using var clients = emulator.CreateClients(family);
        await using var sender = clients.CreateMessageSender(emulator.Settings["SERVICEBUS_QUEUE"]);
        long number = 0;
        return await MeasureAsync(
            emulator,
            64,
            async (_, token) =>
            {
                var id = Interlocked.Increment(ref number).ToString(CultureInfo.InvariantCulture);
                await sender.SendAsync(new OutgoingMessage { MessageId = id, Body = Body }, token);
                return 1;
            },
            cancellationToken
        );
    }

    private async Task<Measured> WriteBlobsAsync(EmulatorProcess emulator, CancellationToken cancellationToken)
    {
        await using var clients = emulator.CreateClients(family);
        var container = clients.GetBlobContainer(emulator.Settings["STORAGE_CONTAINER"]);
        long number = 0;
        return await MeasureAsync(
            emulator,
            32,
            async (_, token) =>
            {
                await container.UploadAsync(new BlobUpload { Name = $"blob/{Interlocked.Increment(ref number)}", Content = Body }, token);
                return 1;
            },
            cancellationToken
        );
    }

    private async Task<Measured> WriteCheckpointsAsync(EmulatorProcess emulator, CancellationToken cancellationToken)
    {
        await using var clients = emulator.CreateClients(family);
        var store = clients.CheckpointStore;
        var last = new Checkpoint?[4];
        return await MeasureAsync(
            emulator,
            last.Length,
            async (lane, token) =>
            {
                var position = new EventPosition(1 + (last[lane]?.Position.SequenceNumber ?? 0), "1024");
                last[lane] = await store.WriteCheckpointAsync(
                    lane.ToString(CultureInfo.InvariantCulture),
                    position,
                    "ceiling",
                    last[lane],
                    fenced: true,
                    token
                );
                return 1;
            },
            cancellationToken
        );
    }

    private async Task<Measured> ReceiveAsync(EmulatorProcess emulator, CancellationToken cancellationToken)
    {
        await using var clients = emulator.CreateClients(family);
        return await DrainAsync(emulator, clients, backlog, null, cancellationToken);
    }

    private async Task<Measured> DoWholeJobsAsync(EmulatorProcess emulator, CancellationToken cancellationToken)
    {
        await using var clients = emulator.CreateClients(family);
        await using var sender = clients.CreateMessageSender(emulator.Settings["SERVICEBUS_QUEUE"]);
        var container = clients.GetBlobContainer(emulator.Settings["STORAGE_CONTAINER"]);
        return await DrainAsync(emulator, clients, WholeJobEvents, (one, token) => WriteAsync(one, sender, container, token), cancellationToken);
    }

    private async Task<Measured> DoEventJobAsync(EmulatorProcess emulator, int events, CancellationToken cancellationToken)
    {
        await FillAsync(emulator, events, Stamp, cancellationToken);
        await using var clients = emulator.CreateClients(family);
        await using var sender = clients.CreateMessageSender(emulator.Settings["SERVICEBUS_QUEUE"]);
        var container = clients.GetBlobContainer(emulator.Settings["STORAGE_CONTAINER"]);
        return await ConsumeAsync(
            emulator,
            clients,
            events,
            (meter, partition) =>
                new BacklogCount(
                    meter,
                    (one, token) => WriteAsync(one, sender, container, token),
                    (last, token) => partition.CheckpointAsync(new EventPosition(last.SequenceNumber, last.Offset), token)
                ),
            cancellationToken
        );
    }

    private static async ValueTask WriteAsync(ReceivedEvent one, IMessageSender sender, IBlobContainer container, CancellationToken cancellationToken)
    {
        var name = $"{one.PartitionId}/{one.SequenceNumber}";
        var message = new OutgoingMessage()
        {
            MessageId = name,
            Body = one.Body,
            BodyKind = one.BodyKind,
            ContentType = one.ContentType,
            EncodedProperties = one.EncodedProperties,
        };
        await Task.WhenAll(
            sender.SendAsync(message, cancellationToken).AsTask(),
            container.UploadAsync(new BlobUpload { Name = name, Content = one.Body }, cancellationToken).AsTask()
        );
    }

    private async Task<Measured> DrainAsync(
        EmulatorProcess emulator,
        IMessagingClients clients,
        int events,
        Func<ReceivedEvent, CancellationToken, ValueTask>? treatAsync,
        CancellationToken cancellationToken
    )
    {
        await FillAsync(emulator, events, new Dictionary<string, object?>(), cancellationToken);
        return await ConsumeAsync(emulator, clients, events, (meter, _) => new BacklogCount(meter, treatAsync), cancellationToken);
    }

    private async Task<Measured> ConsumeAsync(
        EmulatorProcess emulator,
        IMessagingClients clients,
        int events,
        Func<BacklogMeter, IOwnedPartition, IPartitionHandler> open,
        CancellationToken cancellationToken
    )
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var meter = new BacklogMeter(events, events / 4, stop.Cancel, clock, () => SpentBy(emulator));
        var processor = clients.CreateProcessor(Processor with { TimeProvider = clock }, partition => open(meter, partition));
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
        var counted = await ClosedLoop.RunAsync(lanes, WarmUp, window, operation, () => before = SpentBy(emulator), clock, cancellationToken);
        return new Measured(counted.Events, counted.Window, SpentBy(emulator) - before) { RoundTrip = counted.RoundTrip };
    }

    private Spent SpentBy(EmulatorProcess emulator)
    {
        Counting?.Invoke();
        return Spent.By(emulator);
    }

    private static async Task<int> SendAsync(IEventHubWriter writer, int partition, OutgoingEvent one, int events, CancellationToken cancellationToken)
    {
        var batch = await writer.CreateBatchAsync(null, partition.ToString(CultureInfo.InvariantCulture), cancellationToken);
        while (batch.Count < events && batch.TryAdd(one)) { }

        await writer.SendAsync(batch, cancellationToken);
        return batch.Count;
    }
}
