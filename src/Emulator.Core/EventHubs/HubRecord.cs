using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>The log of a hub: first its settings, then each change of its consumer groups.</summary>
internal sealed class HubRecord
{
    public const string Kind = "hubs";

    private const byte Created = 1;
    private const byte GroupStored = 2;
    private const byte GroupDeleted = 3;

    private readonly Dictionary<string, ConsumerGroupSettings> groups;

    private HubRecord(HubSettings settings, DateTimeOffset createdAt)
    {
        (Settings, CreatedAt) = (settings, createdAt);
        groups = settings.ConsumerGroups.ToDictionary(
            static name => name,
            name => new ConsumerGroupSettings(name, createdAt, createdAt),
            StringComparer.OrdinalIgnoreCase
        );
    }

    /// <summary>The settings of its creation.</summary>
    public HubSettings Settings { get; }

    public DateTimeOffset CreatedAt { get; }

    /// <summary>The consumer groups that it has at the end of the log.</summary>
    public IReadOnlyCollection<ConsumerGroupSettings> Groups => groups.Values;

    /// <exception cref="IOException">The record could not be written.</exception>
    public static void WriteCreated(EntityLog log, HubSettings settings, DateTimeOffset createdAt)
    {
        var record = new RecordWriter()
            .Start(Created)
            .Text(settings.Name)
            .Time(createdAt)
            .Int32(settings.Partitions)
            .Int64(settings.RetentionTime?.Ticks ?? -1)
            .Int64(settings.RetentionBytes ?? -1)
            .Int32(settings.ConsumerGroups.Count);
        foreach (var group in settings.ConsumerGroups)
        {
            record.Text(group);
        }

        log.Append(record);
    }

    /// <summary>Writes a consumer group that was created or changed.</summary>
    /// <exception cref="IOException">The record could not be written.</exception>
    public static void WriteGroup(EntityLog log, ConsumerGroupSettings group) =>
        log.Append(new RecordWriter().Start(GroupStored).Text(group.Name).Time(group.CreatedAt).Time(group.ChangedAt).Text(group.UserMetadata));

    /// <exception cref="IOException">The record could not be written.</exception>
    public static void WriteDeletedGroup(EntityLog log, string group) => log.Append(new RecordWriter().Start(GroupDeleted).Text(group));

    /// <summary>Reads one record. <paramref name="hub"/> is null until the first.</summary>
    public static void Replay(LogRecord record, ref HubRecord? hub)
    {
        var reader = new RecordReader(record.Payload);
        switch (reader.Byte())
        {
            case Created when hub is null:
                hub = ReadCreated(ref reader);
                break;
            case GroupStored when hub is not null && reader.Text() is { } group:
                // Earlier emulators wrote the name only.
                hub.groups[group] = reader.AtEnd
                    ? new ConsumerGroupSettings(group, hub.CreatedAt, hub.CreatedAt)
                    : new ConsumerGroupSettings(group, reader.Time(), reader.Time(), reader.Text());
                break;
            case GroupDeleted when hub is not null && reader.Text() is { } group:
                hub.groups.Remove(group);
                break;
            default:
                throw new InvalidDataException("a hub's description was expected");
        }
    }

    private static HubRecord ReadCreated(ref RecordReader reader)
    {
        var name = reader.Text() ?? throw new InvalidDataException("a hub without a name");
        var createdAt = reader.Time();
        var partitions = reader.Int32();
        var time = reader.Int64();
        var bytes = reader.Int64();
        var names = new List<string>();
        for (var count = reader.Int32(); count > 0; count--)
        {
            names.Add(reader.Text() ?? throw new InvalidDataException("a consumer group without a name"));
        }

        var settings = new HubSettings(name)
        {
            Partitions = partitions is > 0 and <= HubSettings.LargestPartitions ? partitions : throw new InvalidDataException($"{partitions} partitions"),
            RetentionTime = time < 0 ? null : TimeSpan.FromTicks(time),
            RetentionBytes = bytes < 0 ? null : bytes,
            ConsumerGroups = names,
        };
        return new HubRecord(settings, createdAt);
    }
}
