using System.Globalization;
using EventHubThroughput.Model;
using EventHubThroughput.Pump;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Modelling;

/// <summary>A recommended configuration as a sentence, as options of a run and as the call of an event pump (docs/library.md).</summary>
internal static class RecommendationText
{
    /// <summary>The default window of a pump that handles one event at a time.</summary>
    public const int WindowInOrder = 64;

    private static readonly OrderingGuarantee[] FromWeakest = [OrderingGuarantee.None, OrderingGuarantee.Key, OrderingGuarantee.Partition];

    /// <param name="search">Finds configurations.</param>
    /// <param name="order">The wanted order.</param>
    /// <param name="found">The configuration that was found for it.</param>
    /// <param name="output">Receives the text.</param>
    public static void Write(ConfigurationSearch search, OrderingGuarantee order, ModelledConfiguration found, TextWriter output)
    {
        output.WriteLine(GetSentence(search, order, found));
        if (!search.Reaches(found))
        {
            output.WriteLine($"The limit: {RateLimitSentence.Of(found)}.");
            WriteWithout(search, order, found, output);
        }

        output.WriteLine();
        output.WriteLine($"options     {GetOptions(found)}");
        foreach (var (place, line) in GetCode(found).Index())
        {
            output.WriteLine($"{(place == 0 ? "C#" : ""), -12}{line}");
        }

        output.WriteLine();
    }

    /// <summary>The recommendation.</summary>
    public static string GetSentence(ConfigurationSearch search, OrderingGuarantee order, ModelledConfiguration found) =>
        search.Reaches(found) ? $"Use {Words(found)}." : Text($"No strategy reaches {search.Need:0.###}/s {Kept(order)}. Nearest is {Words(found)}.");

    // The strategies of a weaker order, from the strongest on.
    private static void WriteWithout(ConfigurationSearch search, OrderingGuarantee order, ModelledConfiguration found, TextWriter output)
    {
        foreach (var weaker in FromWeakest.Where(one => one < order).Reverse())
        {
            if (search.Find(weaker) is { } other && other.EventsPerSecond > found.EventsPerSecond)
            {
                output.WriteLine($"{GivenUp(weaker)}: {Words(other)}.");
            }
        }
    }

    private static string Words(ModelledConfiguration one) =>
        Text(
            $"{one.Strategy.Name}, degree {one.Degree}, window {one.Window}, batch {one.Settings.Batch}: {one.EventsPerSecond:0.0} events/s, p99 {one.P99:0.0} ms, at most {one.Replay} events redelivered after a crash"
        );

    private static string Kept(OrderingGuarantee order) =>
        order switch
        {
            OrderingGuarantee.Partition => "in the order of each partition",
            OrderingGuarantee.Key => "in the order of each key",
            _ => "on these services",
        };

    private static string GivenUp(OrderingGuarantee weaker) => weaker == OrderingGuarantee.Key ? "With the order of each key only" : "Without any order";

    /// <summary>The options of a run.</summary>
    public static string GetOptions(ModelledConfiguration one)
    {
        var inTurn = one.Strategy.TakesEventsInTurn;
        return $"--strategy {one.Strategy.Name}{(inTurn ? "" : $" --degree {one.Degree} --window {one.Window}")} --batch {one.Settings.Batch}";
    }

    /// <summary>The call of an event pump, line by line.</summary>
    public static IEnumerable<string> GetCode(ModelledConfiguration one)
    {
        if (one.Settings.Writes.Count > 1)
        {
            yield return $"// HandleAsync awaits {string.Join(" and ", one.Settings.Writes.Select(static write => write.Name))} together, with Task.WhenAll.";
        }

        if (one.Strategy.Ordering == OrderingGuarantee.Partition)
        {
            var pump = RunAhead.Of(one.Settings with { Window = WindowInOrder }, StrategyRule.Find("pipelined")!);
            yield return $"// The pump waits for no batch end. A crash redelivers at most {pump.Replay} events.";
        }

        foreach (var line in PumpCall.Of(one.Strategy.Ordering, one.Degree, one.Window, one.Settings.Checkpoints.Events))
        {
            yield return line;
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
