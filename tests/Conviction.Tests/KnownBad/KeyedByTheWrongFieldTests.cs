using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

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
                await NaivePump.RunAsync(services.Start(), context => new KeyedByTheWrongField(context), batch: 160);
                return services.Judge(OrderPromise.Key);
            }
        );

    [Fact]
    public void The_real_pump_stops_it_before_the_first_write_out_of_order() =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 320, keys: 64);
            var declared = new StrategyDescriptor("x", "Keys by the wrong field.", OrderingGuarantee.Key, context => new KeyedByTheWrongField(context));
            using var consumer = new RealPump(services.Start(), declared.Create, declared: declared);
            await consumer.RunAsync(160);
            Assert.Matches(
                @"^strategy 'x' guarantees order of each key, but started event \d+ of partition 0 before event \d+ of the same key",
                consumer.Errors.First()
            );

            var keyed = StrategyCatalog.Find("keyed");
            using var next = new RealPump(services.Start(), keyed.Create, declared: keyed);
            await next.RunAsync(160);
            Assert.Empty(next.Errors);
            return services.Judge(OrderPromise.Key);
        });

    [Fact]
    public void A_strategy_that_promises_no_order_is_judged_by_the_verdict_alone() =>
        Trial.Convicts(
            OrderPerKey,
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 320, keys: 64);
                using var consumer = new RealPump(services.Start(), context => new KeyedByTheWrongField(context));
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
            await NaivePump.RunAsync(services.Start(), context => new KeyedByTheWrongField(context) { Right = true }, batch: 100);
            return services.Judge(OrderPromise.Key);
        });

    private sealed class KeyedByTheWrongField(StrategyContext context) : IProcessingStrategy
    {
        private const int Lanes = 8;

        public bool Right { get; init; }

        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
            await Task.WhenAll(
                batch
                    .GroupBy(received => Right ? GetLane(received.Key!) : (int)(received.SequenceNumber % Lanes))
                    .Select(lane => new BaselineStrategy(context).DispatchAsync([.. lane], cancellationToken).AsTask())
            );

        private static int GetLane(string key) => key.Sum(character => character) % Lanes;
    }
}
