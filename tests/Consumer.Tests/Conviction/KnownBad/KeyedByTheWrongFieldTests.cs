using EventHubThroughput.Consumer.Tests.Conviction.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Conviction.KnownBad;

/// <summary>KB11: promises order per key, and keeps that of another field: events of one key run beside each other.</summary>
public sealed class KeyedByTheWrongFieldTests
{
    private static readonly string[] OrderPerKey = ["orderStartKey", "orderEndKey", "overlapKey"];

    [Fact]
    public void The_naive_pump_breaks_the_order_per_key() =>
        Trial.Convicts(
            OrderPerKey,
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 320, keys: 64);
                await NaivePump.RunAsync(services.Start(), new KeyedByTheWrongField(), batch: 160);
                return services.Judge(OrderPromise.Key);
            }
        );

    [Fact]
    public void The_real_pump_does_not_judge_order_so_the_verdict_does() =>
        Trial.Convicts(
            OrderPerKey,
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 320, keys: 64);
                using var consumer = new RealPump(services.Start(), _ => new KeyedByTheWrongField());
                await consumer.RunAsync(160);
                Assert.Empty(consumer.Errors);
                return services.Judge(OrderPromise.Key);
            }
        );

    [Fact]
    public void Keyed_by_the_key_it_is_clean() =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 200, keys: 64);
            await NaivePump.RunAsync(services.Start(), new KeyedByTheWrongField { Right = true }, batch: 100);
            return services.Judge(OrderPromise.Key);
        });

    private sealed class KeyedByTheWrongField : IProcessingStrategy
    {
        private const int Lanes = 8;

        public bool Right { get; init; }

        public Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken) =>
            Task.WhenAll(
                batch
                    .Events.GroupBy(received => Right ? LaneOf(received.PartitionKey!) : (int)(received.SequenceNumber % Lanes))
                    .Select(lane => new BaselineStrategy().ProcessAsync(new EventBatch(batch.PartitionId, [.. lane]), sinks, cancellationToken))
            );

        private static int LaneOf(string key) => key.Sum(character => character) % Lanes;
    }
}
