namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>The target of an operation. Members that do not apply are null.</summary>
/// <param name="Service">One of the three services.</param>
/// <param name="Entity">Hub, queue, topic or container.</param>
/// <param name="Partition">The partition of a hub.</param>
/// <param name="Group">The consumer group of a hub.</param>
/// <param name="Detail">Message id, sequence number or blob name. The first one of several.</param>
internal readonly record struct FaultTarget(string Service, string? Entity = null, string? Partition = null, string? Group = null, string? Detail = null)
{
    /// <summary>The message ids of a batch. Null for any other operation.</summary>
    public IReadOnlyList<string>? Batch { get; init; }

    public const string EventHubs = "eventhubs";
    public const string ServiceBus = "servicebus";
    public const string Blobs = "blobs";

    public static IReadOnlyList<string> Services { get; } = [EventHubs, ServiceBus, Blobs];

    /// <summary>Creates a target. A node of the whole namespace has no entity name, so its target is the service.</summary>
    public static FaultTarget Of(string service, string? entity) => new(service, string.IsNullOrEmpty(entity) ? null : entity);

    /// <summary>Whether it includes this message id, sequence number or blob name, alone or in a batch.</summary>
    public bool Holds(string detail) => detail == Detail || (Batch?.Contains(detail, StringComparer.Ordinal) ?? false);

    /// <summary>The form in the journal: its parts, separated by slashes.</summary>
    public override string ToString() => string.Join('/', new[] { Entity ?? Service, Group, Partition, Detail }.Where(static part => part is not null));
}
