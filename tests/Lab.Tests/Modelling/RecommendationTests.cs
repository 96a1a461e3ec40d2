using EventHubThroughput.Lab.Modelling;
using EventHubThroughput.Model;
using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Profiles;
using EventHubThroughput.Pump;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Modelling;

/// <summary>The configuration that is recommended for a need.</summary>
public sealed class RecommendationTests
{
    [Fact]
    public void Recommends_a_strategy_in_one_sentence_as_options_and_as_code()
    {
        var lines = Recommend(OrderingGuarantee.Key, 598, keys: 1_000, "http=40ms", "sql=8ms");

        Assert.Equal(
            [
                "Use keyed, degree 24, window 192, batch 10: 600.0 events/s, p99 40.0 ms, at most 2384 events redelivered after a crash.",
                "",
                "options     --strategy keyed --degree 24 --window 192 --batch 10",
                "C#          // HandleAsync awaits http and sql together, with Task.WhenAll.",
                "            var options = new EventPumpOptions { Window = 192 };",
                "            await using var pump = EventPump.ByKey<EventData>(one => one.PartitionKey, maxConcurrency: 24, HandleAsync, options);",
                "",
            ],
            lines
        );
    }

    [Theory]
    [InlineData(OrderingGuarantee.None, 598, "pipelined", 24)]
    [InlineData(OrderingGuarantee.Key, 598, "keyed", 24)]
    // One event at a time is the cheapest where it is enough, and keeps every order.
    [InlineData(OrderingGuarantee.None, 20, "inloop", 1)]
    [InlineData(OrderingGuarantee.Key, 20, "inloop", 1)]
    [InlineData(OrderingGuarantee.Partition, 20, "inloop", 1)]
    internal void The_lowest_degree_that_reaches_the_need_is_chosen(OrderingGuarantee order, double need, string strategy, int degree)
    {
        var search = GetSearch(need, keys: 1_000, "http=40ms");
        var found = search.Find(order)!;

        Assert.Equal((strategy, degree, true), (found.Strategy.Name, found.Degree, search.Reaches(found)));
        Assert.True(degree == 1 || Predictor.GetPrediction(found.Settings with { Degree = degree - 1 })!.EventsPerSecond < need);
    }

    [Theory]
    [InlineData(OrderingGuarantee.Partition, 0, "http=40ms", "the events of a partition are written one after another")]
    [InlineData(OrderingGuarantee.Key, 4, "http=40ms", "the events of a key are written one after another, and the most frequent of 4 keys has 25 % of them")]
    [InlineData(OrderingGuarantee.None, 0, "sql=8ms:concurrency=2", "write sql serves 2 concurrently, each in 8 ms, at most 250/s")]
    [InlineData(OrderingGuarantee.None, 0, "http=4ms:quota=400/s", "write http has a quota of 400/s")]
    internal void A_need_that_no_strategy_reaches_is_answered_with_the_limit(OrderingGuarantee order, int keys, string write, string limit)
    {
        var lines = Recommend(order, 100_000, keys, write);

        Assert.StartsWith("No strategy reaches 100000/s ", lines[0], StringComparison.Ordinal);
        Assert.Contains(". Nearest is ", lines[0], StringComparison.Ordinal);
        Assert.Equal($"The limit: {limit}.", lines[1]);
    }

    [Fact]
    public void What_giving_up_the_order_brings_follows_from_the_strongest_order_on()
    {
        var lines = Recommend(OrderingGuarantee.Partition, 598, keys: 1_000, "http=40ms");

        Assert.StartsWith("No strategy reaches 598/s in the order of each partition. Nearest is inloop, degree 1,", lines[0], StringComparison.Ordinal);
        Assert.StartsWith("With the order of each key only: keyed, degree 24,", lines[2], StringComparison.Ordinal);
        Assert.StartsWith("Without any order: pipelined, degree 24,", lines[3], StringComparison.Ordinal);
        Assert.Contains("            await using var pump = EventPump.InOrder<EventData>(HandleAsync);", lines);
    }

    [Fact]
    public void The_count_of_checkpoints_that_was_given_is_in_the_code()
    {
        using var output = new StringWriter();
        var search = new ConfigurationSearch(one => GetSettings(one, 0, "http=40ms") with { Checkpoints = new CheckpointRule(50, null) }, 598);

        Recommendation.Of(search, OrderingGuarantee.None).Write(output);

        Assert.Contains("EventPumpOptions { Window = 192, CheckpointEvents = 50 };", output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void The_named_window_of_a_pump_in_order_is_its_default() => Assert.Equal(EventPumpOptions.LeastUsualWindow, RecommendationText.WindowInOrder);

    // The calls that are recommended, for the compiler.
    [Fact]
    public async Task The_recommended_calls_exist()
    {
        var options = new EventPumpOptions { Window = 192, CheckpointEvents = 50 };
        await using var inOrder = EventPump.InOrder<object>(HandleAsync);
        await using var byKey = EventPump.ByKey<object>(static one => null, maxConcurrency: 24, HandleAsync, options);
        await using var unordered = EventPump.Unordered<object>(maxConcurrency: 24, HandleAsync, options);

        Assert.NotSame(byKey, unordered);

        static ValueTask HandleAsync(object one, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }

    private static string[] Recommend(OrderingGuarantee order, double need, int keys, params string[] writes)
    {
        using var output = new StringWriter();
        Recommendation.Of(GetSearch(need, keys, writes), order).Write(output);
        return (output.ToString().ReplaceLineEndings("\n").TrimEnd() + "\n").Split('\n');
    }

    private static ConfigurationSearch GetSearch(double need, int keys, params string[] writes) => new(one => GetSettings(one, keys, writes), need);

    private static ModelSettings GetSettings(StrategyDescriptor strategy, int keys, params string[] writes) =>
        new()
        {
            Strategy = strategy.Name,
            Profile = new LatencyProfile("checkpoints") { CheckpointWrite = new() { MeanMilliseconds = 10 } },
            Writes = DescribedWriteReader.Read("--write", writes),
            Keys = keys,
            Events = 20_000,
        };
}
