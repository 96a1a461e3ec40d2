using System.Globalization;
using EventHubThroughput.Lab.Embedded;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The hub that a cell reads, and the sender of its events.</summary>
/// <param name="Name">The hub.</param>
/// <param name="Sender">The name of the run that its events are stamped with.</param>
/// <param name="Ledger">The record of what was sent.</param>
internal sealed record CellHub(string Name, string Sender, string Ledger)
{
    /// <summary>The hub that was filled for all cells.</summary>
    private static CellHub Shared(ComparisonPlan plan, EmbeddedServices services) => new(services.Settings.EventHubName, plan.Id, services.Ledger);

    /// <summary>A hub that was filled with the same load for all cells that read that number of partitions.</summary>
    public static CellHub OfPartitions(ComparisonPlan plan, int partitions, EmbeddedServices services) =>
        partitions == plan.Load.Partitions
            ? Shared(plan, services)
            : new(
                $"hub-{plan.Id}-p{partitions}",
                $"{plan.Id}-p{partitions}",
                Path.Combine(services.Folder, $"ledger-p{partitions.ToString(CultureInfo.InvariantCulture)}.jsonl")
            );

    /// <summary>A hub for a cell alone, to which events are sent while it is run.</summary>
    public static CellHub Own(CellNames names, EmbeddedServices services) =>
        new($"hub-{names.Run}", names.Run, Path.Combine(services.Folder, $"ledger-{names.Run}.jsonl"));
}
