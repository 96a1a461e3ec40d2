using System.Runtime.InteropServices;
using Confluent.Kafka;
using EventHubThroughput.Pump;

// Usage: KafkaConsumer BOOTSTRAP-SERVERS TOPIC
using var stop = new CancellationTokenSource();
using var term = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
var options = new EventPumpOptions { CheckpointEvents = 100, OnFault = Report };
await using var pump = EventPump.ByKey<ConsumeResult<string, byte[]>>(one => one.Message.Key, maxConcurrency: 64, HandleAsync, options);

// The pump decides when an offset is committed. A rebalance waits until the handlers in flight have finished.
var config = new ConsumerConfig
{
    BootstrapServers = args[0],
    GroupId = "orders",
    AutoOffsetReset = AutoOffsetReset.Earliest,
    EnableAutoCommit = false,
};
using var consumer = new ConsumerBuilder<string, byte[]>(config)
    .SetPartitionsRevokedHandler((_, revoked) => Close(revoked, isOwned: true))
    .SetPartitionsLostHandler((_, lost) => Close(lost, isOwned: false))
    .Build();
consumer.Subscribe(args[1]);
try
{
    while (true)
    {
        var one = consumer.Consume(stop.Token);
        await pump.AcceptAsync($"{one.TopicPartition}", one, token => Task.Run(() => consumer.Commit(one), token), stop.Token);
    }
}
catch (OperationCanceledException) when (stop.IsCancellationRequested) { }

consumer.Close();
return pump.Fault is null ? 0 : 1;

static async ValueTask HandleAsync(ConsumeResult<string, byte[]> one, CancellationToken cancellationToken)
{
    await Task.Delay(Random.Shared.Next(40), cancellationToken); // The work.
    await Console.Out.WriteLineAsync($"{one.Partition.Value}/{one.Offset.Value}: {one.Message.Value.Length} bytes");
}

void Close(List<TopicPartitionOffset> partitions, bool isOwned) =>
    Task.WhenAll(partitions.Select(one => pump.CloseAsync($"{one.TopicPartition}", isOwned))).Wait();

void Report(EventPumpFault fault)
{
    Console.Error.WriteLine(fault);
    if (fault.EndsPump)
    {
        stop.Cancel();
    }
}

void Stop(PosixSignalContext context)
{
    context.Cancel = true;
    stop.Cancel();
}
