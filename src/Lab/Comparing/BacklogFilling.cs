using EventHubThroughput.Lab.Embedded;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Fills a hub for each number of partitions beside that of the whole comparison, with the same load.</summary>
internal static class BacklogFilling
{
    /// <summary>The further numbers of partitions.</summary>
    public static IReadOnlyList<int> Further(ComparisonPlan plan) =>
        plan.IsOpenLoop ? [] : [.. plan.Configurations.Select(static one => one.Partitions).Distinct().Where(partitions => partitions != plan.Load.Partitions)];

    /// <summary>Creates the hubs and fills them. No fault of the emulator strikes the sender.</summary>
    /// <param name="plan">The comparison.</param>
    /// <param name="services">Its emulator.</param>
    /// <param name="groups">The consumer groups of all cells.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task FillAsync(
        ComparisonPlan plan,
        EmbeddedServices services,
        IReadOnlyList<string> groups,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        using var administration = new EmulatorAdministration(services.Variables);
        foreach (var partitions in Further(plan))
        {
            await administration.HoldFaultsAsync(cancellationToken);
            var hub = CellHub.OfPartitions(plan, partitions, services);
            await administration.CreateHubAsync(hub.Name, partitions, groups, cancellationToken);
            var variables = new Dictionary<string, string>([.. services.Variables, .. plan.Log.Variables], StringComparer.Ordinal)
            {
                ["EVENTHUB_NAME"] = hub.Name,
            };
            await EmbeddedSender.FillAsync(hub.Sender, EmbeddedLoad.Of(plan.Load), hub.Ledger, variables, clock, cancellationToken);
        }
    }
}
