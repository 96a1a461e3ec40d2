using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>Reads the lists of entities of one document. Checks names, counts and forwarding between them.</summary>
public sealed class EntitySetReader
{
    public const int MostEntities = 1_024;

    private readonly HashSet<string> _hubs;
    private readonly HashSet<string> _containers;
    private readonly HashSet<string> _sinks;
    private readonly ForwardingCheck _forwarding;

    /// <param name="known">Existing entities. Their names are taken, and messages may be forwarded to them.</param>
    public EntitySetReader(EntitySet known)
    {
        _hubs = Names(known.Hubs.Select(static hub => hub.Name));
        _containers = Names(known.Containers);
        _sinks = Names(known.Queues.Select(static queue => queue.Name).Concat(known.Topics.Select(static topic => topic.Name)));
        _forwarding = new ForwardingCheck(known);
    }

    public EntitySet Read(SettingGroup root)
    {
        var read = new EntitySet
        {
            Hubs = [.. Named(root.Groups("hubs"), _hubs, EmulatedName.Fault).Select(static entry => EntityReader.Hub(entry.Group, entry.Name))],
            Queues = [.. Named(root.Groups("queues"), _sinks, EmulatedName.PathFault).Select(entry => Queue(entry.Group, entry.Name))],
            Topics = [.. Named(root.Groups("topics"), _sinks, EmulatedName.PathFault).Select(entry => Topic(entry.Group, entry.Name))],
            Containers = Containers(root),
        };
        _forwarding.Check(_sinks);
        return read;
    }

    private static HashSet<string> Names(IEnumerable<string> names) => new(names, StringComparer.OrdinalIgnoreCase);

    // The groups that have a name.
    private static List<(SettingGroup Group, string Name)> Named(IReadOnlyList<SettingGroup> groups, HashSet<string> taken, Func<string, string?> faultOf)
    {
        List<(SettingGroup Group, string Name)> named = [];
        foreach (var group in groups)
        {
            if (EntityReader.Name(group, faultOf) is not { } name)
            {
                // Its other members are checked too.
                named.Add((group, string.Empty));
            }
            else if (taken.Count == MostEntities)
            {
                group.Refuse($"more than {MostEntities} of a kind");
                named.Add((group, name));
                break;
            }
            else
            {
                if (!taken.Add(name))
                {
                    group.Find("name")!.Refuse("named twice");
                }

                named.Add((group, name));
            }
        }

        return named;
    }

    private QueueSettings Queue(SettingGroup group, string name)
    {
        var queue = EntityReader.Queue(group, name);
        _forwarding.Add(group, name, queue);
        return queue;
    }

    /// <summary>A topic with its subscriptions. The caller checks its name.</summary>
    internal TopicSettings ReadTopic(SettingGroup group, string name)
    {
        _sinks.Add(name);
        var topic = Topic(group, name);
        _forwarding.Check(_sinks);
        return topic;
    }

    private TopicSettings Topic(SettingGroup group, string name)
    {
        List<QueueSettings> subscriptions = [];
        foreach (var (inner, itsName) in Named(group.Groups("subscriptions"), Names([]), EmulatedName.Fault))
        {
            var subscription = EntityReader.Subscription(inner, itsName);
            _forwarding.Add(inner, name, subscription);
            subscriptions.Add(subscription);
        }

        return EntityReader.Topic(group, name) with
        {
            Subscriptions = subscriptions,
        };
    }

    private List<string> Containers(SettingGroup root)
    {
        List<string> containers = [];
        foreach (var value in root.Find("containers")?.List() ?? [])
        {
            if (value.Text() is not { } name)
            {
                continue;
            }

            var fault =
                EmulatedName.ContainerFault(name)
                ?? (_containers.Add(name) ? null : "named twice")
                ?? (_containers.Count > MostEntities ? $"more than {MostEntities} of a kind" : null);
            if (fault is not null)
            {
                value.Refuse(fault);
            }

            containers.Add(name);
        }

        return containers;
    }
}
