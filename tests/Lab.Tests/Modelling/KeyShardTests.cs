using EventHubThroughput.Events;
using EventHubThroughput.Model.Simulating;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Workload;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Modelling;

/// <summary>The model has its own hash of keys. The events that a strategy begins show which keys share a shard.</summary>
public sealed class KeyShardTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(16)]
    [InlineData(64)]
    public void Keys_share_the_shards_that_the_strategy_has_them_share(int shards)
    {
        var names = Enumerable.Range(0, 500).Select(KeyShard.GetName).ToArray();
        string[] begun = [];
        VirtualTimeRunner.Run(async clock =>
        {
            var sink = new HeldSink();
            await using var strategy = StrategyCatalog.Find("keyed-shards").Create(new StrategyContext { Sinks = [sink], MaxConcurrency = shards });
            await strategy.DispatchAsync([.. names.Select(static (name, number) => Some.Event(number, key: name))], TestContext.Current.CancellationToken);

            // Time continues when everything has begun that may begin.
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), TestContext.Current.CancellationToken);
            begun = [.. sink.Begun];
            sink.Release();
            await strategy.DrainAsync(TestContext.Current.CancellationToken);
        });

        // Of each shard the first of its events is begun, and no other.
        Assert.Equal(names.DistinctBy(name => KeyShard.Of(name, shards)).Order(StringComparer.Ordinal), begun.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Keys_have_the_names_that_the_sender_gives_them()
    {
        var keys = new KeyDistribution(20, 0, seed: 1);

        Assert.Equal(
            Enumerable.Range(0, 20).Select(KeyShard.GetName).Order(StringComparer.Ordinal),
            Enumerable.Range(0, 2_000).Select(number => keys.GetKey(number)!).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)
        );
    }

    private sealed class HeldSink : ITrackedSink
    {
        private readonly TaskCompletionSource released = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly Lock gate = new();
        private readonly List<string> begun = [];

        public string Name => "held";

        public IReadOnlyList<string> Begun
        {
            get
            {
                lock (gate)
                {
                    return [.. begun];
                }
            }
        }

        public void Release() => released.SetResult();

        public async ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
        {
            lock (gate)
            {
                begun.Add(receivedEvent.Key!);
            }

            await released.Task;
            return new WriteOutcome(TimeSpan.Zero, 1, Throttled: false);
        }

        public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
            await Task.WhenAll(events.Select(one => WriteAsync(one, cancellationToken).AsTask()));
    }
}
