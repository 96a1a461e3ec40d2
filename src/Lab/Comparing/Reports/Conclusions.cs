using System.Globalization;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>What may be concluded from a comparison, and what may not.</summary>
internal static class Conclusions
{
    private const int Publishable = 10;
    private const double PublishableSeconds = 30;

    /// <summary>What may be concluded.</summary>
    public static IEnumerable<string> May(ComparisonResult result)
    {
        var decided = result.Pairs.Count(static pair => pair.Word == "faster");
        var equal = result.Pairs.Count(static pair => pair.Word == "no difference");
        if (decided > 0)
        {
            yield return Text(
                $"{decided} of {result.Pairs.Count} pairs have a {(result.Settings.IsOpenLoop ? "quicker configuration at this rate" : "faster configuration")}, with the ratio and ratio 95 % interval."
            );
        }

        if (equal > 0)
        {
            yield return Text($"{equal} of {result.Pairs.Count} pairs have no difference that matters.");
        }

        if (decided + equal == 0)
        {
            yield return "No pair is decided. The figures are a first indication.";
        }

        if (decided > 0 && result.Settings.Repeats >= Publishable && result.Settings.MeasureS >= PublishableSeconds && result.Comparison.Complete)
        {
            yield return "The figures may be published, together with the environment and the excluded cells.";
        }

        if (result.Cells.Count > 0 && result.Strategies.All(static one => one.Verdict == SafetyVerdict.Clean))
        {
            yield return Text($"In these {result.Cells.Count} cells no event was lost and no checkpoint was ahead, {GetFaults(result)}.");
        }
    }

    /// <summary>What may not be concluded.</summary>
    public static IEnumerable<string> ListLimits(ComparisonResult result)
    {
        if (!result.Comparison.Complete)
        {
            yield return "The comparison is incomplete: it was interrupted, and the report covers the finished cells.";
        }

        foreach (var failed in result.Strategies.Where(static one => one.Verdict == SafetyVerdict.Failed))
        {
            yield return $"{failed.Label} broke a guarantee. A rate at which events are lost does not count.";
        }

        if (result.Strategies.All(static one => one is { EventsPerS95: null, Ratio95: null }))
        {
            yield return "The uncertainty is unknown. An interval needs five usable blocks.";
        }
        else if (result.Settings.Repeats < Publishable || result.Settings.MeasureS < PublishableSeconds)
        {
            yield return Text($"It cannot be published. That needs --repeats {Publishable}, with {PublishableSeconds:0} s measured in each cell.");
        }

        if (result.Pairs.Count(static pair => pair.Word is not ("faster" or "no difference")) is > 0 and var open)
        {
            yield return Text(
                $"{open} of {result.Pairs.Count} pairs have no faster configuration: they are not decided, an indication, not ranked or too noisy."
            );
        }

        if (
            result.Strategies.Where(static one => one.Word.StartsWith("not ranked", StringComparison.Ordinal)).Select(static one => one.Label).ToList() is
            { Count: > 0 } held
        )
        {
            yield return $"The limit of {string.Join(", ", held)} is unknown: the emulator or the input limited the rate, not the strategy.";
        }

        yield return result.Settings.Services is { } services
            ? Text(
                $"The rates are those of the services {services.EventHubs}, {services.ServiceBus} and {services.Storage} at that time, seen from this machine of {result.Machine.ProcessorCountSeen} processors."
            )
            : Text(
                $"The rates do not predict Azure. They are those of the latency profile {result.Settings.Profile}, with emulator and consumer on one machine of {result.Machine.ProcessorCountSeen} processors."
            );
        yield return Text(
            $"The rates do not predict other settings. These are {result.Settings.Partitions} {(result.Settings.Partitions == 1 ? "partition" : "partitions")}, batch {result.Settings.Batch}, degree {result.Settings.Degree}, bodies of {result.Settings.BodySizes} bytes."
        );
        yield return result.Settings switch
        {
            { IsOpenLoop: true } =>
                $"The largest possible rates are unknown: events were sent at {result.Settings.Rate}, and each strategy that keeps up has that rate.",
            { ComparedBy: ComparedBy.Sustained } => Text(
                $"A strategy may not keep its rate for longer: each run of a search measured {result.Settings.MeasureS:0.#} s."
            ),
            _ => "The time from sending to completion is unknown: the hub was filled before the run, and the strategies drained a backlog.",
        };
        if (result.Settings.Faults is null or { Count: 0 })
        {
            yield return "Faults and crashes were not measured. The repeats are a configured bound, not a measurement.";
        }
    }

    private static string GetFaults(ComparisonResult result) =>
        result.Settings.Faults is { Count: > 0 } faults ? $"under the faults {string.Join(", ", faults)}" : "without faults";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
