using System.Globalization;
using Confluent.Kafka;

namespace EventHubThroughput.Repository.Builds.Kafka;

/// <summary>The mock cluster of librdkafka, in this process, on loopback. It has one broker, and a topic of four partitions.</summary>
internal sealed class MockCluster : IDisposable
{
    public const string Topic = "orders";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    // The cluster lives as long as the client that has asked for it.
    private readonly IProducer<string, byte[]> producer;

    public MockCluster()
    {
        var config = new ProducerConfig { BootstrapServers = "mock" };
        config.Set("test.mock.num.brokers", "1");
        producer = new ProducerBuilder<string, byte[]>(config).Build();
        using var client = new DependentAdminClientBuilder(producer.Handle).Build();
        var broker = client.GetMetadata(Limit).Brokers.Single();
        BootstrapServers = string.Create(CultureInfo.InvariantCulture, $"{broker.Host}:{broker.Port}");
    }

    public string BootstrapServers { get; }

    /// <summary>Sends events, and waits until the broker has them.</summary>
    /// <returns>Partition and offset of each.</returns>
    public async Task<IReadOnlyCollection<(string Partition, long Offset)>> SendAsync(int events, CancellationToken cancellationToken)
    {
        var sent = Enumerable
            .Range(0, events)
            .Select(number =>
                producer.ProduceAsync(Topic, new Message<string, byte[]> { Key = $"key-{number % 40}", Value = new byte[number % 100] }, cancellationToken)
            );
        return [.. (await Task.WhenAll(sent)).Select(static one => (GetText(one.Partition), one.Offset.Value))];
    }

    /// <summary>The committed offset of each partition of the topic that has one: that of the next event to be read.</summary>
    public Dictionary<string, long> ReadCommitted(string group)
    {
        using var consumer = new ConsumerBuilder<string, byte[]>(new ConsumerConfig { BootstrapServers = BootstrapServers, GroupId = group }).Build();
        using var client = new DependentAdminClientBuilder(producer.Handle).Build();
        var partitions = client.GetMetadata(Topic, Limit).Topics.Single().Partitions.Select(static one => new TopicPartition(Topic, one.PartitionId));
        return consumer.Committed(partitions, Limit).Where(static one => one.Offset >= 0).ToDictionary(one => GetText(one.Partition), one => one.Offset.Value);
    }

    public void Dispose() => producer.Dispose();

    private static string GetText(Partition partition) => partition.Value.ToString(CultureInfo.InvariantCulture);
}
