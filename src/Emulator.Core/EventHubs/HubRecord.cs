using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>The log of a hub: first its settings, then each consumer group that was added later.</summary>
internal sealed class HubRecord
{
    public const string Kind = "hubs";

    private const byte Created = 1;
    private const byte GroupAdded = 2;

    private HubRecord(HubSettings settings, DateTimeOffset createdAt) => (Settings, CreatedAt) = (settings, createdAt);

    public HubSettings Settings { get; private set; }

    public DateTimeOffset CreatedAt { get; }

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

    /// <exception cref="IOException">The record could not be written.</exception>
    public static void WriteGroup(EntityLog log, string group) => log.Append(new RecordWriter().Start(GroupAdded).Text(group));

    /// <summary>Reads one record. <paramref name="hub"/> is null until the first.</summary>
    public static void Replay(LogRecord record, ref HubRecord? hub)
    {
        var reader = new RecordReader(record.Payload);
        switch (reader.Byte())
        {
            case Created when hub is null:
                hub = ReadCreated(ref reader);
                break;
            case GroupAdded when hub is not null && reader.Text() is { } group:
                hub.Settings = hub.Settings with { ConsumerGroups = [.. hub.Settings.ConsumerGroups, group] };
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
        var groups = new List<string>();
        for (var count = reader.Int32(); count > 0; count--)
        {
            groups.Add(reader.Text() ?? throw new InvalidDataException("a consumer group without a name"));
        }

        var settings = new HubSettings(name)
        {
            Partitions = partitions is > 0 and <= HubSettings.LargestPartitions ? partitions : throw new InvalidDataException($"{partitions} partitions"),
            RetentionTime = time < 0 ? null : TimeSpan.FromTicks(time),
            RetentionBytes = bytes < 0 ? null : bytes,
            ConsumerGroups = groups,
        };
        return new HubRecord(settings, createdAt);
    }
}
