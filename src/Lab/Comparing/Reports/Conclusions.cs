using System.Globalization;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>What may be said because of a comparison, and what may not.</summary>
internal static class Conclusions
{
    private const int Publishable = 10;
    private const double PublishableSeconds = 30;

    /// <summary>What may be said.</summary>
    public static IEnumerable<string> May(ComparisonResult result)
    {
        var decided = result.Pairs.Count(static pair => pair.Word == "faster");
        var equal = result.Pairs.Count(static pair => pair.Word == "no difference");
        if (decided > 0)
        {
            yield return Text(
                $"Of {decided} of {result.Pairs.Count} pairs: which is {(result.Settings.IsOpenLoop ? "quicker at this rate" : "faster")}, with the ratio and its 95 % interval."
            );
        }

        if (equal > 0)
        {
            yield return Text($"Of {equal} of {result.Pairs.Count} pairs: that there is no difference worth a choice.");
        }

        if (decided + equal == 0)
        {
            yield return "Of no pair which is faster: take it as a first look.";
        }

        if (decided > 0 && result.Settings.Repeats >= Publishable && result.Settings.MeasureS >= PublishableSeconds && result.Comparison.Complete)
        {
            yield return "The figures may be published, together with the environment and with what is kept apart.";
        }

        if (result.Cells.Count > 0 && result.Strategies.All(static one => one.Verdict == SafetyVerdict.Clean))
        {
            yield return Text($"That in these {result.Cells.Count} cells nothing was lost and no checkpoint was ahead, {FaultsOf(result)}.");
        }
    }

    /// <summary>What may not.</summary>
    public static IEnumerable<string> MayNot(ComparisonResult result)
    {
        if (!result.Comparison.Complete)
        {
            yield return "That the comparison is whole: it was cut short, and what is here comes from the cells that were over.";
        }

        foreach (var failed in result.Strategies.Where(static one => one.Verdict == SafetyVerdict.Failed))
        {
            yield return $"Anything of {failed.Label} but that it broke a promise: a rate at which events are lost is no rate.";
        }

        if (result.Strategies.All(static one => one is { EventsPerS95: null, Ratio95: null }))
        {
            yield return "How sure any of it is: there is no interval. An interval takes five blocks that count.";
        }
        else if (result.Settings.Repeats < Publishable || result.Settings.MeasureS < PublishableSeconds)
        {
            yield return Text($"That it can be published: that takes --repeats {Publishable}, with {PublishableSeconds:0} s measured in each cell.");
        }

        if (result.Pairs.Count(static pair => pair.Word is not ("faster" or "no difference")) is > 0 and var open)
        {
            yield return Text($"Of {open} of {result.Pairs.Count} pairs which is faster: they are not decided, an indication, withheld or too noisy.");
        }

        if (
            result.Strategies.Where(static one => one.Word.StartsWith("withheld", StringComparison.Ordinal)).Select(static one => one.Label).ToList() is
            { Count: > 0 } held
        )
        {
            yield return $"How fast {string.Join(", ", held)} could be: the emulator or the input held the rate, not the strategy.";
        }

        yield return Text(
            $"What Azure would do: the rates belong to the latency profile {result.Settings.Profile}, an emulator and a consumer on one machine of {result.Machine.ProcessorCountSeen} processors."
        );
        yield return Text(
            $"What other settings would do: {result.Settings.Partitions} {(result.Settings.Partitions == 1 ? "partition" : "partitions")}, batch {result.Settings.Batch}, degree {result.Settings.Degree}, bodies of {result.Settings.BodySizes} bytes."
        );
        yield return result.Settings switch
        {
            { IsOpenLoop: true } =>
                $"How many events a second any of them could process: they were sent at {result.Settings.Rate}, and whoever keeps up has that rate.",
            { ComparedBy: ComparedBy.Sustained } => Text(
                $"That any of them keeps its rate for longer: each run of a search measured {result.Settings.MeasureS:0.#} s."
            ),
            _ => "How long an event waits from its sending to its completion: the hub was filled before, and the strategies worked off what was there.",
        };
        if (result.Settings.Faults is null or { Count: 0 })
        {
            yield return "What happens under faults or crashes: there were none. The repeats are a bound that was set, not one that was met.";
        }
    }

    private static string FaultsOf(ComparisonResult result) =>
        result.Settings.Faults is { Count: > 0 } faults ? $"under the faults {string.Join(", ", faults)}" : "without faults";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
