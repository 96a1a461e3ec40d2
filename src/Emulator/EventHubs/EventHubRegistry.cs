namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>The hubs of an emulator; names compare without case.</summary>
internal sealed class EventHubRegistry(IEnumerable<EventHub> hubs)
{
    private readonly Dictionary<string, EventHub> _hubs = hubs.ToDictionary(static hub => hub.Name, StringComparer.OrdinalIgnoreCase);

    public EventHub? Find(string name) => _hubs.GetValueOrDefault(name);
}
