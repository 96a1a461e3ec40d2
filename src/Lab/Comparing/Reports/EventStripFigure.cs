using System.Xml.Linq;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Twelve real events of each strategy on one time axis: why one is faster than another.</summary>
internal static class EventStripFigure
{
    /// <summary>The part of the page. Null where no cell that counts has recorded events, as in results of earlier versions.</summary>
    public static XElement? Of(IReadOnlyList<ComparedSeries> all)
    {
        var strips = all.Select(GetStrip).OfType<EventStrip>().ToList();
        if (strips.Count == 0)
        {
            return null;
        }

        var sinks = strips.SelectMany(static strip => strip.Sample.Events).SelectMany(static one => one.Writes.Keys).Distinct(StringComparer.Ordinal).ToList();
        var sentence = GetSentence(strips);
        var chart = new EventStripChart
        {
            Name = sentence,
            Strips = strips,
            Sinks = sinks,
        };
        return new XElement(
            "div",
            new XAttribute("class", "events"),
            new XElement("p", sentence),
            new XElement("figure", chart.Draw()),
            new XElement("p", new XAttribute("class", "notes"), string.Join(' ', GetLegend(strips, sinks)))
        );
    }

    /// <summary>A sink in words.</summary>
    public static string GetName(string sink) => sink == "servicebus" ? "message" : sink;

    // The cell whose rate is nearest to the figure of the strategy is the typical one.
    private static EventStrip? GetStrip(ComparedSeries one) =>
        one
            .Counted.Where(static result =>
                result.Sample is { } sample && sample.Events.All(static received => received is { BegunMs: not null, CompletedMs: not null })
            )
            .OrderBy(result => Math.Abs((result.Throughput.EventsPerS - one.Strategy.EventsPerS) ?? 0))
            .Select(result => new EventStrip(one.Label, one.Look, result.Sample!))
            .FirstOrDefault();

    // Of the best and the last by their rates.
    private static string GetSentence(List<EventStrip> strips)
    {
        var (first, last) = (strips[0], strips[^1]);
        var all = $"{first.Sample.Events.Count} consecutive events took {first.Took} with {first.Label}";
        return first == last ? $"{all}."
            : first.LengthMs < last.LengthMs ? $"Why: {all} and {last.Took} with {last.Label}."
            : $"{all} and {last.Took} with {last.Label}. The difference in rate is in more events than these.";
    }

    private static IEnumerable<string> GetLegend(List<EventStrip> strips, List<string> sinks)
    {
        yield return "A row is one event of the median cell, from the first write of all.";
        yield return sinks.Count == 1
            ? $"A bar is its write ({GetName(sinks[0])})."
            : $"Its bars, from the top, are its writes: {string.Join(", ", sinks.Select(GetName))}.";
        yield return "A line before them is the wait for its turn. A dotted line after them is the wait for the end of its batch.";
        if (strips.Exists(static strip => strip.Checkpoints.Any()))
        {
            yield return "A grey area is a checkpoint write.";
        }
    }
}
