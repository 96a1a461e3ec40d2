namespace EventHubThroughput.Clients.Connections;

/// <summary>How messages name the entity that an operation is about.</summary>
/// <param name="Kind">event hub, queue or topic, or what else it may be.</param>
/// <param name="Name">Its name.</param>
internal readonly record struct EntityLabel(string Kind, string Name)
{
    public static EntityLabel EventHub(string name) => new("event hub", name);

    public static EntityLabel Messages(string name) => new("queue or topic", name);

    public override string ToString() => $"{Kind} '{Name}'";
}
