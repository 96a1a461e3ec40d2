using EventHubThroughput.Emulator.Administration;
using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator;

/// <summary>The first entities of an emulator: those of the data directory, the requested ones, and the defaults of a kind that would have none.</summary>
internal static class InitialEntities
{
    /// <exception cref="EmulatorException">One exists and differs, or cannot be stored.</exception>
    public static void Create(EmulatorOptions options, EventHubRegistry hubs, ServiceBusRegistry queues)
    {
        var (asked, defaults) = (options.Entities, options.Defaults);
        foreach (var hub in asked.Hubs.Count == 0 && hubs.All.Count == 0 ? defaults.Hubs : asked.Hubs)
        {
            Check("hub", hub.Name, () => hubs.Create(hub), () => $"{hubs.Find(hub.Name)!.Partitions.Count} partitions", $"{hub.Partitions} partitions");
        }

        // Queues and topics share their names. Either of them prevents the default.
        var isEmpty = asked.Queues.Count == 0 && asked.Topics.Count == 0 && queues.AllQueues.Count == 0 && queues.AllTopics.Count == 0;
        foreach (var queue in isEmpty ? defaults.Queues : asked.Queues)
        {
            Check("queue", queue.Name, () => queues.CreateQueue(queue));
        }

        foreach (var topic in asked.Topics)
        {
            Check("topic", topic.Name, () => queues.CreateTopic(topic));
        }
    }

    /// <exception cref="EmulatorException">There are too many, or one cannot be stored.</exception>
    public static void Create(EmulatorOptions options, BlobStore store)
    {
        var (asked, defaults) = (options.Entities.Containers, options.Defaults.Containers);
        foreach (var container in asked.Count == 0 && !store.All().Any() ? defaults : asked)
        {
            Check("container", container, () => store.CreateAsAsked(container));
        }
    }

    /// <summary>All entities. Requested ones come first.</summary>
    public static EntitySet List(EmulatorOptions options, EventHubRegistry hubs, ServiceBusRegistry queues, BlobStore store)
    {
        var asked = options.Entities;
        return new EntitySet
        {
            // In the requested order, because the settings also name the first consumer group.
            Hubs =
            [
                .. asked.Hubs,
                .. hubs
                    .All.Where(hub => Place(asked.Hubs, static one => one.Name, hub.Name) == int.MaxValue)
                    .OrderBy(static hub => hub.CreatedAt)
                    .Select(static hub => hub.Settings),
            ],
            Queues =
            [
                .. queues
                    .AllQueues.Select(static queue => queue.Settings)
                    .OrderBy(queue => Place(asked.Queues, static one => one.Name, queue.Name))
                    .ThenBy(static queue => queue.Name, StringComparer.OrdinalIgnoreCase),
            ],
            Topics = [.. queues.AllTopics.Select(KnownEntities.GetSettings).OrderBy(static topic => topic.Name, StringComparer.OrdinalIgnoreCase)],
            Containers =
            [
                .. store
                    .All()
                    .Select(static container => container.Name)
                    .OrderBy(container => Place([.. asked.Containers, .. options.Defaults.Containers], static one => one, container))
                    .ThenBy(static container => container, StringComparer.Ordinal),
            ],
        };
    }

    private static int Place<T>(IReadOnlyList<T> asked, Func<T, string> nameOf, string name)
    {
        for (var i = 0; i < asked.Count; i++)
        {
            if (string.Equals(nameOf(asked[i]), name, StringComparison.OrdinalIgnoreCase))
            {
                return i;
            }
        }

        return int.MaxValue;
    }

    private static void Check(string kind, string name, Func<CreateVerdict> create, Func<string>? held = null, string? asked = null)
    {
        CreateVerdict verdict;
        try
        {
            verdict = create();
        }
        catch (IOException exception)
        {
            throw new EmulatorException(EmulatorErrorKind.NotWritable, $"{kind} '{name}': cannot be stored ({exception.Message})", exception);
        }

        if (verdict is CreateVerdict.Differs)
        {
            throw new EmulatorException(
                EmulatorErrorKind.InconsistentData,
                $"{kind} '{name}': the data directory has it with other settings"
                    + (held is null ? string.Empty : $" ({held()}, requested are {asked})")
                    + ". Change the request, or delete it first"
            );
        }

        if (verdict is not (CreateVerdict.Created or CreateVerdict.Exists))
        {
            throw new EmulatorException(
                EmulatorErrorKind.InconsistentData,
                $"{kind} '{name}': the limit of entities is reached ({EntitySetReader.MostEntities})"
            );
        }
    }
}
