namespace EventHubThroughput.Clients.Connections;

/// <summary>The name of an entity in messages.</summary>
/// <param name="Kind">The kind: event hub, queue, topic or another one.</param>
/// <param name="Name">Its name.</param>
internal readonly record struct EntityLabel(string Kind, string Name)
{
    public static EntityLabel EventHub(string name) => new("event hub", name);

    public static EntityLabel Messages(string name) => new("queue or topic", name);

    public override string ToString() => $"{Kind} '{Name}'";
}
