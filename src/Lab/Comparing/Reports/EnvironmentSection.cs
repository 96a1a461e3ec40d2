using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The options of the comparison, and its machine.</summary>
internal static class EnvironmentSection
{
    public static ReportSection Of(ComparisonResult result) =>
        new(
            "environment",
            "Environment",
            ["The same command gives other rates on another machine. Ratios are more portable."],
            [new XElement("dl", Entries(result).SelectMany(static entry => new[] { new XElement("dt", entry.Name), new XElement("dd", entry.Text) }))]
        );

    /// <summary>The entries with their names.</summary>
    public static IEnumerable<(string Name, string Text)> Entries(ComparisonResult result)
    {
        var (settings, machine, program) = (result.Settings, result.Machine, result.Program);
        yield return ("command", CommandText.Of(result.Comparison.Arguments));
        yield return (
            "comparison",
            Text($"{result.Comparison.Id}, begun {result.Comparison.StartedUtc:yyyy-MM-dd HH:mm:ss} UTC, {result.Comparison.TookS:N0} s")
        );
        yield return (
            "cells",
            Text($"{settings.WarmupS:0.###} s of warm-up and {settings.MeasureS:0.###} s measured, {settings.Repeats} blocks requested, seed {settings.Seed}")
        );
        yield return settings.Services is { } services
            ? ("services", $"event hub {services.EventHub} of {services.EventHubs}, messages on {services.ServiceBus}, storage {services.Storage}")
            : ("latency profile", settings.Place);
        yield return ("faults", settings.Faults is { Count: > 0 } faults ? string.Join(", ", faults) : "none");
        yield return (
            "load",
            Text(
                $"{settings.Events:N0} events on {settings.Partitions} {(settings.Partitions == 1 ? "partition" : "partitions")}, bodies of {settings.BodySizes} bytes, {GetKeys(settings)}{(settings.Topic is true ? ", messages to a topic with one subscription" : "")}"
            )
        );
        yield return ("batch and degree", Text($"{settings.Batch} and {settings.Degree}, unless a configuration has others"));
        yield return (
            "machine",
            Text(
                $"{machine.Os}, {machine.ProcessorCountSeen} processors{(machine.CpuModel is { } model ? $" ({model})" : "")}, {machine.MemoryBytes / (1024.0 * 1024 * 1024):0.0} GiB for the process{(machine.LoadAverage is { } load ? Text($", load {load:0.0} at the end") : "")}"
            )
        );
        yield return (
            "runtime",
            Text(
                $"{machine.Runtime}, {(machine.GcServer ? "server" : "workstation")} garbage collection{(machine.GcConcurrent ? ", concurrent" : "")}, clock of {machine.TimerResolutionNs} ns"
            )
        );
        yield return ("measured by", $"{BuildName.Of(program)}, clients {program.Clients}");
        yield return ("rendered by", BuildName.OfThisProcess);
        if (result.Overhead is { } overhead)
        {
            yield return (
                "overhead of the program",
                Text(
                    $"{overhead.HarnessCpuUsPerEvent:0.00} µs and {overhead.HarnessAllocatedBytesPerEvent:0.0} bytes an event on one thread. Without timing and metrics {1 / overhead.MetricsOnOffRatio:0.00} times as fast"
                )
            );
        }

        yield return ("exit code", Text($"{result.Comparison.ExitCode}"));
    }

    private static string GetKeys(ComparisonSettings settings) =>
        settings.Keys == 0 ? "no keys" : Text($"{settings.Keys:N0} keys{(settings.KeySkew > 0 ? Text($" with Zipf exponent {settings.KeySkew:0.##}") : "")}");

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
