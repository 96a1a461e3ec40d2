using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator;

/// <summary>Options of the command line: the entities of the emulator.</summary>
internal sealed class EntityArguments
{
    private readonly Option<string> _hub = Options.TextOr("--hub", "event hub to create", "hub", "NAME");
    private readonly Option<int> _partitions = Options.Integer("--partitions", "its partitions", 4, 1, HubSettings.LargestPartitions);
    private readonly Option<IReadOnlyList<string>> _groups = Options.List("--consumer-groups", "its consumer groups", ["$Default"]);
    private readonly Option<string> _queue = Options.TextOr("--queue", "queue to create", "queue", "NAME");
    private readonly Option<TimeSpan> _lockDuration = Options.Duration(
        "--lock-duration",
        "how long its messages are locked",
        TimeSpan.FromSeconds(30),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(5)
    );
    private readonly Option<int> _deliveries = Options.Integer(
        "--max-delivery-count",
        "deliveries before a message becomes a dead letter",
        10,
        1,
        int.MaxValue
    );
    private readonly Option<IReadOnlyList<string>> _containers = Options.List(
        "--containers",
        "blob containers to create: archive, checkpoints, dead letters",
        ["archive", "checkpoints", "deadletters"]
    );

    private readonly Option<bool> _onDemand = Options.Flag(
        "--create-on-demand",
        "create hubs and queues when they are first addressed, with the options above"
    );

    public void AddTo(RootCommand root)
    {
        foreach (var option in (Option[])[_hub, _partitions, _groups, _queue, _lockDuration, _deliveries, _containers, _onDemand])
        {
            root.Options.Add(option);
        }

        // A check sees null for an invalid value.
        root.Check(result => result.GetValue(_hub) is { } hub ? EmulatedName.Problem(_hub.Name, hub, EmulatedName.Fault) : null);
        root.Check(result => result.GetValue(_queue) is { } queue ? EmulatedName.Problem(_queue.Name, queue, EmulatedName.PathFault) : null);
        root.Check(result => result.GetValue(_groups) is { } groups ? EmulatedName.ListProblem(_groups.Name, groups, EmulatedName.GroupFault) : null);
        root.Check(result =>
            result.GetValue(_containers) is { } containers ? EmulatedName.ListProblem(_containers.Name, containers, EmulatedName.ContainerFault) : null
        );
    }

    /// <summary>Combines the entities of the options and of the settings file. Defaults fill in the rest.</summary>
    public EmulatorOptions Apply(ParseResult parsed, SettingGroup? file, EmulatorOptions options)
    {
        var hub = new HubSettings(parsed.GetValue(_hub)!)
        {
            Partitions = parsed.GetValue(_partitions),
            ConsumerGroups = EmulatedName.WithDefaultGroup(parsed.GetValue(_groups)!),
        };
        var queue = new QueueSettings(parsed.GetValue(_queue)!)
        {
            LockDuration = parsed.GetValue(_lockDuration),
            MaximumDeliveryCount = parsed.GetValue(_deliveries),
        };
        var onDemand = parsed.GetValue(_onDemand) || (file?.Flag("createOnDemand") ?? false);

        // With entities on demand these options apply to every entity that is created on demand. A name still creates one immediately.
        var asked = new EntitySet
        {
            Hubs = parsed.IsGiven(_hub) || (!onDemand && (parsed.IsGiven(_partitions) || parsed.IsGiven(_groups))) ? [hub] : [],
            Queues = parsed.IsGiven(_queue) || (!onDemand && (parsed.IsGiven(_lockDuration) || parsed.IsGiven(_deliveries))) ? [queue] : [],
            Containers = parsed.IsGiven(_containers) ? parsed.GetValue(_containers)! : [],
        };
        var read = file is null ? new EntitySet() : new EntitySetReader(asked).Read(file);
        return options with
        {
            Entities = new EntitySet
            {
                Hubs = [.. asked.Hubs, .. read.Hubs],
                Queues = [.. asked.Queues, .. read.Queues],
                Topics = read.Topics,
                Containers = [.. asked.Containers, .. read.Containers],
            },
            Defaults = onDemand
                ? new EntitySet { Containers = parsed.GetValue(_containers)! }
                : new EntitySet
                {
                    Hubs = [hub],
                    Queues = read.Topics.Count > 0 ? [] : [queue],
                    Containers = parsed.GetValue(_containers)!,
                },
            HubOnDemand = onDemand ? hub : null,
            QueueOnDemand = onDemand ? queue : null,
        };
    }
}
