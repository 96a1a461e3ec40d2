using EventHubThroughput.Clients;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Promises the order of the partition, or of its keys, and begins, ends or overlaps first writes in another one.</summary>
public sealed class BreaksItsOrderTests
{
    private static readonly string[] OfThePartition = ["orderStartPartition", "orderEndPartition", "overlapPartition"];
    private static readonly string[] OfTheKeys = ["orderStartKey", "orderEndKey", "overlapKey"];

    [Fact]
    public void Writing_urgent_events_first_is_convicted() =>
        Convicts(
            OfThePartition,
            context => new Rearranges(context, static events => events.OrderByDescending(static received => received.SequenceNumber % 3)),
            OrderPromise.Partition
        );

    [Fact]
    public void Concurrent_events_that_begin_in_order_are_convicted() =>
        Convicts(["orderEndPartition", "overlapPartition"], context => new OuterLoopStrategy(context), OrderPromise.Partition);

    [Fact]
    public void Writing_refused_events_at_the_end_of_the_batch_is_convicted() =>
        Convicts(
            OfThePartition,
            context => new RetriesAtTheEnd(context),
            OrderPromise.Partition,
            static (attempt, victim) => attempt is { Place: Place.Queue, Number: 1 } && attempt.Sequence == victim ? Effect.Refused : Effect.None
        );

    [Fact]
    public void An_archive_that_lags_the_queue_is_convicted() => Convicts(["overlapPartition"], context => new ArchiveLags(context), OrderPromise.Partition);

    [Fact]
    public void Two_workers_for_a_key_that_is_hot() => Convicts(OfTheKeys, context => new TwoWorkersForEachKey(context), OrderPromise.Key);

    [Fact]
    public void The_newest_of_each_key_first() =>
        Convicts(
            OfTheKeys,
            context => new Rearranges(context, static events => events.GroupBy(static received => received.Key).SelectMany(static ofKey => ofKey.Reverse())),
            OrderPromise.Key
        );

    [Fact]
    public void Keys_in_turn_and_the_events_of_each_in_order_it_is_clean() =>
        Trial.Clears(schedule =>
            RunAsync(
                schedule,
                context => new Rearranges(context, static events => events.GroupBy(static received => received.Key).SelectMany(static ofKey => ofKey)),
                OrderPromise.Key
            )
        );

    private static void Convicts(
        string[] charges,
        Func<StrategyContext, IProcessingStrategy> strategy,
        OrderPromise promise,
        Func<Attempt, int, Effect>? effects = null
    ) => Trial.Convicts(charges, schedule => RunAsync(schedule, strategy, promise, effects));

    private static async Task<Verdict> RunAsync(
        Schedule schedule,
        Func<StrategyContext, IProcessingStrategy> strategy,
        OrderPromise promise,
        Func<Attempt, int, Effect>? effects = null
    )
    {
        // Not at the end of a batch, where the last one may be tried again in its place.
        var victim = (40 * schedule.Random.Next(2)) + schedule.Random.Next(39);
        var services = new RecordedServices(schedule, count: 80, keys: promise == OrderPromise.Key ? 4 : 0)
        {
            Effects = attempt => effects?.Invoke(attempt, victim) ?? Effect.None,
        };
        await NaivePump.RunAsync(services.Start(), strategy, batch: 40);
        return services.Judge(promise);
    }

    private sealed class Rearranges(StrategyContext context, Func<IReadOnlyList<EventSlot>, IEnumerable<EventSlot>> order) : IProcessingStrategy
    {
        public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
            new BaselineStrategy(context).DispatchAsync([.. order(batch)], cancellationToken);
    }

    private sealed class RetriesAtTheEnd(StrategyContext context) : IProcessingStrategy
    {
        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            var refused = new List<EventSlot>();
            foreach (var received in batch)
            {
                try
                {
                    await new BaselineStrategy(context).DispatchAsync([received], cancellationToken);
                }
                catch (MessagingException)
                {
                    refused.Add(received);
                }
            }

            await new BaselineStrategy(context).DispatchAsync(refused, cancellationToken);
        }
    }

    private sealed class ArchiveLags(StrategyContext context) : IProcessingStrategy
    {
        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            var archived = Task.CompletedTask;
            foreach (var received in batch)
            {
                await context.Sinks[0].WriteAsync(received, cancellationToken);
                archived = ArchiveAsync(archived, received, cancellationToken);
            }

            await archived;
        }

        private async Task ArchiveAsync(Task before, EventSlot received, CancellationToken cancellationToken)
        {
            await before;
            await context.Sinks[1].WriteAsync(received, cancellationToken);
        }
    }

    private sealed class TwoWorkersForEachKey(StrategyContext context) : IProcessingStrategy
    {
        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
            await Task.WhenAll(
                batch
                    .GroupBy(static received => (received.Key, received.SequenceNumber % 2))
                    .Select(lane => new BaselineStrategy(context).DispatchAsync([.. lane], cancellationToken).AsTask())
            );
    }
}
