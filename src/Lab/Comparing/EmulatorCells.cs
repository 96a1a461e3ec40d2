using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>
/// An emulator of the comparison. The hub is filled once, with a consumer group for each cell. A hub for each further number of partitions has the same load.
/// At a rate, each cell has a separate hub.
/// </summary>
internal sealed class EmulatorCells : ICellServices
{
    private readonly EmbeddedServices services;
    private readonly EmulatorAdministration administration;

    private EmulatorCells(EmbeddedServices services, SharedEmulator emulator)
    {
        this.services = services;
        administration = new EmulatorAdministration(services.Variables);
        Emulator = emulator;
    }

    public string Folder => services.Folder;

    public ClientFamily Clients => ClientFamily.BuiltIn;

    public SharedEmulator? Emulator { get; }

    /// <summary>Starts the emulator and fills its hubs. No fault of the emulator strikes the sender.</summary>
    /// <param name="plan">The comparison.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    public static async Task<EmulatorCells> StartAsync(ComparisonPlan plan, TimeProvider clock, CancellationToken cancellationToken)
    {
        // A hub that only one cell reads gets its group when it is created.
        string[] groups = plan.IsOpenLoop ? [] : [.. Enumerable.Range(0, plan.MostBlocks * plan.CellsOfBlock).Select(CellNames.GetGroup)];
        // A search fills no hub. Each of its runs has a sender with a separate rate.
        var load = (plan.IsSearch ? plan.At(1) : plan).Load with
        {
            Hubs = 1 + GetFurther(plan).Count,
            Groups = groups,
            // Each cell has a separate one.
            Topic = false,
        };
        var emulator = await EmbeddedServices.StartAsync(plan.Id, load, clock, cancellationToken);
        var started = new EmulatorCells(emulator, new SharedEmulator(emulator.Process.Id, plan.Load.Profile, plan.Load.EmulatorCeiling));
        try
        {
            await started.FillFurtherAsync(plan, groups, clock, cancellationToken);
            return started;
        }
        catch
        {
            await started.DisposeAsync();
            throw;
        }
    }

    public CellHub GetHub(ComparisonPlan plan, Cell cell) =>
        plan.IsOpenLoop
            ? new CellHub($"hub-{cell.Names.Run}", cell.Names.Run, Path.Combine(Folder, $"ledger-{cell.Names.Run}.jsonl"))
            : GetHub(plan, cell.ComparedConfiguration.Partitions);

    public MessagingSettings GetSettings(Cell cell, CellHub hub) => cell.Names.OnEmulator.Of(services.Settings, hub);

    public IReadOnlyDictionary<string, string> GetVariables(Cell cell, CellHub hub) => cell.Names.OnEmulator.Of(services.Variables, hub);

    public async Task PrepareAsync(ComparisonPlan plan, Cell cell, CellHub hub, CancellationToken cancellationToken)
    {
        var entities = cell.Names.OnEmulator;
        await (
            plan.IsOpenLoop
                ? administration.CreateHubAsync(hub.Name, cell.ComparedConfiguration.Partitions, [entities.Group], cancellationToken)
                : Task.CompletedTask
        );
        await administration.CreateQueueOrTopicAsync(entities.Messages, entities.Subscription, cancellationToken);
        foreach (var container in entities.Containers)
        {
            await administration.CreateContainerAsync(container, cancellationToken);
        }

        // Each cell gets the profile from its beginning, and separate draws.
        await administration.UseProfileAsync(plan.Load.Profile, cancellationToken);
        if (plan.Load.Faults is { } faults)
        {
            await administration.HoldFaultsAsync(cancellationToken);
            await administration.ArmFaultsAsync(faults, cancellationToken);
        }
    }

    // The writes of a cell are in the journal. In the emulator they would only fill the memory for later cells.
    public async Task<CellEvidence> EndAsync(ComparisonPlan plan, Cell cell, CellHub hub, bool isUsable, CancellationToken cancellationToken)
    {
        var entities = cell.Names.OnEmulator;
        var latencies = await administration.ReadLatenciesAsync(cancellationToken);
        await (plan.Load.Faults is null ? Task.CompletedTask : administration.HoldFaultsAsync(cancellationToken));
        await (plan.IsOpenLoop ? administration.DeleteHubAsync(hub.Name, cancellationToken) : Task.CompletedTask);
        await administration.DeleteQueueOrTopicAsync(entities.Messages, entities.Subscription, cancellationToken);
        foreach (var container in entities.Containers)
        {
            await administration.DeleteContainerAsync(container, cancellationToken);
        }

        return new CellEvidence(latencies);
    }

    public async Task<IReadOnlyList<ComparedCell>> JudgeAsync(ComparisonPlan plan, IReadOnlyList<FinishedCell> cells)
    {
        // The journal is whole then.
        await services.EndAsync();
        return CellVerification.Judge(plan, cells, this, services.Journal);
    }

    public async ValueTask DisposeAsync()
    {
        administration.Dispose();
        await services.DisposeAsync();
    }

    /// <summary>The numbers of partitions beside that of the whole comparison.</summary>
    public static IReadOnlyList<int> GetFurther(ComparisonPlan plan) =>
        plan.IsOpenLoop ? [] : [.. plan.Configurations.Select(static one => one.Partitions).Distinct().Where(partitions => partitions != plan.Load.Partitions)];

    private CellHub GetHub(ComparisonPlan plan, int partitions) =>
        partitions == plan.Load.Partitions
            ? new CellHub(services.Settings.EventHubName, plan.Id, services.Ledger)
            : new CellHub(
                $"hub-{plan.Id}-p{partitions}",
                $"{plan.Id}-p{partitions}",
                Path.Combine(Folder, $"ledger-p{partitions.ToString(CultureInfo.InvariantCulture)}.jsonl")
            );

    private async Task FillFurtherAsync(ComparisonPlan plan, IReadOnlyList<string> groups, TimeProvider clock, CancellationToken cancellationToken)
    {
        foreach (var partitions in GetFurther(plan))
        {
            await administration.HoldFaultsAsync(cancellationToken);
            var hub = GetHub(plan, partitions);
            await administration.CreateHubAsync(hub.Name, partitions, groups, cancellationToken);
            var variables = new Dictionary<string, string>([.. services.Variables, .. plan.Log.Variables], StringComparer.Ordinal)
            {
                ["EVENTHUB_NAME"] = hub.Name,
            };
            await EmbeddedSender.FillAsync(hub.Sender, EmbeddedLoad.Of(plan.Load), hub.Ledger, variables, clock, cancellationToken);
        }
    }
}
