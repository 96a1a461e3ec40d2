using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Services;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The services of the settings, on which a comparison runs.</summary>
/// <param name="Settings">The services. Their hub is used, their queue or topic and their containers are not.</param>
/// <param name="Clients">The clients that prepare the cells and read them back.</param>
internal sealed record ComparisonServices(MessagingSettings Settings, ClientFamily Clients)
{
    // Event Hubs allows 20 consumer groups of a hub, and its user has some.
    private const int MostGroups = 10;

    private const string Subscription = "all";

    /// <summary>The entities that exist, a set for each cell. Null creates them.</summary>
    public IReadOnlyList<ExistingCell>? Existing { get; init; }

    /// <summary>Whether nothing is asked before events are sent.</summary>
    public bool IsConfirmed { get; init; }

    /// <summary>Whether the number of events was chosen. Otherwise it depends on the partitions of the hub.</summary>
    public bool HasEvents { get; init; }

    /// <summary>The services as the result names them.</summary>
    public ComparedServices Described =>
        new()
        {
            EventHubs = Settings.GetAddress(ProbedService.EventHubs).Host,
            EventHub = Settings.EventHubName,
            ServiceBus = Settings.GetAddress(ProbedService.ServiceBus).Host,
            Storage = Settings.GetAddress(ProbedService.Storage).Host,
        };

    /// <summary>The cells that this part of the comparison may run.</summary>
    public static IEnumerable<CellNames> GetCells(ComparisonPlan plan) =>
        Enumerable
            .Range(plan.FirstBlock * plan.CellsOfBlock, (plan.MostBlocks - plan.FirstBlock) * plan.CellsOfBlock)
            .Select(number => new CellNames(plan.Id, number));

    /// <summary>The entities of a cell. Cells run one after another, so they share consumer groups.</summary>
    public CellEntities GetEntities(ComparisonPlan plan, CellNames cell)
    {
        if (Existing is { } existing)
        {
            var own = existing[cell.Number - (plan.FirstBlock * plan.CellsOfBlock)];
            return new CellEntities(own.ConsumerGroup, own.Queue ?? own.Topic!, own.Subscription, own.Archive, own.Checkpoints, own.DeadLetters);
        }

        var common = $"{ServiceEntity.Prefix}{plan.Id}";
        var group = $"{common}-group-{cell.Number % plan.CellsOfBlock % MostGroups}";
        var (kind, subscription) = Settings.Topic is null ? ("queue", null) : ("topic", Subscription);
        return new CellEntities(
            group,
            $"{common}-{kind}-{cell.Number}",
            subscription,
            $"{common}-archive-{cell.Number}",
            $"{common}-checkpoints-{cell.Number}",
            $"{common}-deadletters-{cell.Number}"
        );
    }

    /// <summary>The consumer groups to create.</summary>
    public IReadOnlyList<ServiceEntity> GetGroups(ComparisonPlan plan) =>
        Existing is not null
            ? []
            :
            [
                .. GetCells(plan)
                    .Select(cell => GetEntities(plan, cell).Group)
                    .Distinct(StringComparer.Ordinal)
                    .Select(static group => new ServiceEntity(EntityKind.ConsumerGroup, group)),
            ];

    /// <summary>The other entities to create for a cell.</summary>
    public IReadOnlyList<ServiceEntity> GetCreated(ComparisonPlan plan, CellNames cell)
    {
        if (Existing is not null)
        {
            return [];
        }

        var entities = GetEntities(plan, cell);
        return
        [
            .. entities.Subscription is { } subscription
                ? new ServiceEntity[] { new(EntityKind.Topic, entities.Messages), new(EntityKind.Subscription, subscription, entities.Messages) }
                : [new ServiceEntity(EntityKind.Queue, entities.Messages)],
            .. entities.Containers.Select(static container => new ServiceEntity(EntityKind.Container, container)),
        ];
    }

    /// <summary>All entities that may be created.</summary>
    public IReadOnlyList<ServiceEntity> GetAllCreated(ComparisonPlan plan) =>
        [.. GetGroups(plan), .. GetCells(plan).SelectMany(cell => GetCreated(plan, cell))];
}
