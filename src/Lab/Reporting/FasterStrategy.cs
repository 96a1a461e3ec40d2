using System.Globalization;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Model;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>
/// The best strategy of the same order guarantee, and what giving up that guarantee would bring. By the model where it applies, else by the rules of
/// docs/strategies.md.
/// </summary>
internal static class FasterStrategy
{
    // A smaller gain would not show in a run.
    private const double LeastGain = 1.03;

    // Gains by operations of several messages alone.
    private const string OfMessages = "batched";

    // Each overlaps more than the one before. Other strategies are as fast as one of these at most.
    private static readonly (string Name, string Why)[] FromSlowest =
    [
        ("inloop", "overlaps the writes of an event"),
        ("outloop", "overlaps the events of a batch"),
        ("combined", "overlaps both the events of a batch and their writes"),
        ("keyed", "overlaps events of different keys across batches"),
        ("pipelined", "waits neither for the last write of a batch nor for its checkpoint"),
        (OfMessages, "sends the messages of several events in one operation"),
    ];

    /// <summary>The advice in one or two sentences. Null if nothing is faster.</summary>
    /// <param name="options">The run.</param>
    /// <param name="prediction">What the model predicts of it. Null where the model does not apply.</param>
    public static string? GetAdvice(RunOptions options, Prediction? prediction)
    {
        var order = options.Processing.Strategy.Ordering;
        if (prediction is null)
        {
            return GetAdviceByRule(options);
        }

        var rated = FromSlowest.Where(one => options.Writes is null || one.Name != OfMessages).Select(one => GetRated(options, one)).OfType<Rated>().ToList();
        var (rate, sentences) = (prediction.EventsPerSecond, new List<string>());
        if (GetFaster(rated, order, rate) is { } same)
        {
            rate = same.EventsPerSecond;
            sentences.Add(Text($"--strategy={same.Name} {same.Why}{Kept(order)}. The model predicts {rate:0} events/s."));
        }
        else if (GetHigherDegree(options, rate) is { } higher)
        {
            sentences.Add(higher);
        }

        if (order != OrderingGuarantee.None && GetFaster(rated, OrderingGuarantee.None, rate) is { } without)
        {
            sentences.Add(Text($"Without the order {Words(order)}, --strategy={without.Name} is predicted to reach {without.EventsPerSecond:0} events/s."));
        }

        return sentences.Count > 0 ? string.Join(' ', sentences) : null;
    }

    private static string? GetAdviceByRule(RunOptions options)
    {
        var strategy = options.Processing.Strategy;
        var (best, without) = strategy.Ordering switch
        {
            OrderingGuarantee.Partition when options.Sinks.Count > 1 => ("inloop", "pipelined"),
            OrderingGuarantee.Partition => (strategy.Name, "pipelined"),
            OrderingGuarantee.Key => ("keyed", "pipelined"),
            _ => (strategy.IsBarrier ? "pipelined" : strategy.Name, strategy.Name),
        };
        var sentences = new List<string>();
        if (best != strategy.Name)
        {
            sentences.Add($"--strategy={best} {GetWhy(best)}{Kept(strategy.Ordering)}.");
        }
        else if (!strategy.TakesEventsInTurn && GetDoubled(options) is { } degree)
        {
            sentences.Add($"--degree={degree} allows more events in flight.");
        }

        if (without != strategy.Name)
        {
            sentences.Add($"Without the order {Words(strategy.Ordering)}, --strategy={without} overlaps more.");
        }

        return sentences.Count > 0 ? string.Join(' ', sentences) : "this strategy has no further step. Repeat the run to see how much its rate varies.";
    }

    private static Rated? GetRated(RunOptions options, (string Name, string Why) one)
    {
        var strategy = StrategyCatalog.Find(one.Name);
        // The options of one strategy do not apply to another one.
        var run = options.With(processing => processing with { Strategy = strategy, StrategyOptions = new Dictionary<string, int>(StringComparer.Ordinal) });
        return ModelChoice.GetPrediction(run) is { } prediction ? new Rated(one.Name, one.Why, strategy.Ordering, prediction.EventsPerSecond) : null;
    }

    // The simplest strategy that keeps the order and is nearly as fast as the fastest. Null if the fastest gains too little.
    private static Rated? GetFaster(IReadOnlyList<Rated> rated, OrderingGuarantee order, double rate)
    {
        var keeping = rated.Where(one => one.Order >= order).ToList();
        var most = keeping.Count > 0 ? keeping.Max(static one => one.EventsPerSecond) : 0;
        return most >= LeastGain * rate ? keeping.First(one => LeastGain * one.EventsPerSecond >= most && one.EventsPerSecond >= LeastGain * rate) : null;
    }

    private static string? GetHigherDegree(RunOptions options, double rate) =>
        !options.Processing.Strategy.TakesEventsInTurn
        && GetDoubled(options) is { } degree
        && ModelChoice.GetPrediction(options.With(processing => processing with { MaxConcurrency = degree })) is { } prediction
        && prediction.EventsPerSecond >= LeastGain * rate
            ? Text($"--degree={degree} allows more events in flight. The model predicts {prediction.EventsPerSecond:0} events/s.")
            : null;

    private static int? GetDoubled(RunOptions options) =>
        options.Processing.MaxConcurrency < ProcessingOptions.MaxConcurrencyLimit
            ? Math.Min(ProcessingOptions.MaxConcurrencyLimit, options.Processing.MaxConcurrency * 2)
            : null;

    private static string GetWhy(string name) => FromSlowest.First(one => one.Name == name).Why;

    private static string Kept(OrderingGuarantee order) => order == OrderingGuarantee.None ? "" : ", in the same order";

    private static string Words(OrderingGuarantee order) => order == OrderingGuarantee.Key ? "of keys" : "of the partition";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private sealed record Rated(string Name, string Why, OrderingGuarantee Order, double EventsPerSecond);
}
