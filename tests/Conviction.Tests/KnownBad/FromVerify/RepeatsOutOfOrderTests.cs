using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>The order in which an owner writes what the one before has written and what is new.</summary>
internal delegate IReadOnlyList<ReceivedEvent> Order(IEnumerable<ReceivedEvent> repeated, IEnumerable<ReceivedEvent> fresh);

/// <summary>
/// An owner writes in order and ends without a checkpoint. The next one repeats those writes in another order. New events follow in order, or come
/// before.
/// </summary>
public sealed class RepeatsOutOfOrderTests
{
    private const int Batch = 20;

    private static readonly string[] OfThePartition = ["orderStartPartition", "orderEndPartition", "overlapPartition"];
    private static readonly string[] OfTheKeys = ["orderStartKey", "orderEndKey", "overlapKey"];

    [Fact]
    public void The_newest_first() => Convicts(OfThePartition, OrderPromise.Partition, static (repeated, fresh) => [.. repeated.Reverse(), .. fresh]);

    [Fact]
    public void Writing_new_events_before_redelivered_ones_is_convicted() =>
        Convicts(OfThePartition, OrderPromise.Partition, static (repeated, fresh) => [.. fresh, .. repeated]);

    [Fact]
    public void The_newest_of_each_key_first() =>
        Convicts(
            OfTheKeys,
            OrderPromise.Key,
            static (repeated, fresh) => [.. repeated.GroupBy(static received => received.PartitionKey).SelectMany(static ofKey => ofKey.Reverse()), .. fresh]
        );

    [Fact]
    public void Writing_new_events_of_a_key_before_redelivered_ones_is_convicted() =>
        Convicts(OfTheKeys, OrderPromise.Key, static (repeated, fresh) => [.. fresh, .. repeated]);

    [Theory]
    [InlineData(OrderPromise.Partition)]
    [InlineData(OrderPromise.Key)]
    public void In_the_order_of_the_partition_it_is_clean_so_that_the_order_is_what_is_convicted(OrderPromise promise) =>
        Trial.Clears(schedule => RunAsync(schedule, promise, static (repeated, fresh) => [.. repeated, .. fresh]));

    private static void Convicts(string[] charges, OrderPromise promise, Order order) =>
        Trial.Convicts(charges, schedule => RunAsync(schedule, promise, order));

    private static async Task<Verdict> RunAsync(Schedule schedule, OrderPromise promise, Order order)
    {
        var services = new RecordedServices(schedule, count: 2 * Batch, keys: promise == OrderPromise.Key ? 3 : 0);
        var first = services.Start();
        using (var left = first.Take(fenced: false))
        {
            await WriteAsync(first, left.Batches(Batch).First().Events);
        }

        var second = services.Start();
        using var ownership = second.Take(fenced: false);
        var batch = ownership.Batches(2 * Batch).First();
        await WriteAsync(second, order([.. batch.Events.Take(Batch)], [.. batch.Events.Skip(Batch)]));
        await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
        return services.Judge(promise);
    }

    private static async Task WriteAsync(RecordedProcess process, IReadOnlyList<ReceivedEvent> events) =>
        await NaivePump.Over(NaivePump.GetSinks(process), context => new BaselineStrategy(context)).DispatchAsync(events, CancellationToken.None);
}
