using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Emulator;

/// <summary>Options of the command line: what the emulator holds.</summary>
internal sealed class EntityArguments
{
    private readonly Option<string> _hub = Options.TextOr("--hub", "event hub to create", "hub", "NAME");
    private readonly Option<int> _partitions = Options.Integer("--partitions", "its partitions", 4, 1, HubSettings.LargestPartitions);
    private readonly Option<IReadOnlyList<string>> _groups = Options.List("--consumer-groups", "its consumer groups", ["$Default"]);
    private readonly Option<string> _queue = Options.TextOr("--queue", "queue to create", "queue", "NAME");
    private readonly Option<TimeSpan> _lockDuration = Options.Duration("--lock-duration", "how long its messages are locked", TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(5));
    private readonly Option<int> _deliveries = Options.Integer("--max-delivery-count", "deliveries before a message becomes a dead letter", 10, 1, 2_000);
    private readonly Option<IReadOnlyList<string>> _containers = Options.List("--containers", "blob containers to create: archive, checkpoints, dead letters", ["archive", "checkpoints", "deadletters"]);

    public void AddTo(RootCommand root)
    {
        foreach (var option in (Option[])[_hub, _partitions, _groups, _queue, _lockDuration, _deliveries, _containers])
        {
            root.Options.Add(option);
        }

        // A check sees null where a value is wrong by itself.
        root.Check(result => result.GetValue(_hub) is { } hub ? EmulatedName.Problem(_hub.Name, hub) : null);
        root.Check(result => result.GetValue(_queue) is { } queue ? EmulatedName.Problem(_queue.Name, queue) : null);
        root.Check(result => result.GetValue(_groups) is { } groups ? EmulatedName.ListProblem(_groups.Name, groups, EmulatedName.IsGroup, "not a name of a consumer group") : null);
        root.Check(result => result.GetValue(_containers) is { } containers
            ? EmulatedName.ListProblem(_containers.Name, containers, BlobNames.IsContainer, "not a container name, allowed are 3 to 63 lower-case letters, digits and single '-'")
            : null);
    }

    public EmulatorOptions Apply(ParseResult parsed, EmulatorOptions options) => options with
    {
        Entities = new EntitySet
        {
            Hubs = [new HubSettings(parsed.GetValue(_hub)!) { Partitions = parsed.GetValue(_partitions), ConsumerGroups = parsed.GetValue(_groups)! }],
            Queues =
            [
                new QueueSettings(parsed.GetValue(_queue)!) { LockDuration = parsed.GetValue(_lockDuration), MaximumDeliveryCount = parsed.GetValue(_deliveries) },
            ],
            Containers = parsed.GetValue(_containers)!,
        },
    };
}
