namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>What an operation is about, so far as it has it.</summary>
/// <param name="Service">One of the three.</param>
/// <param name="Entity">Hub, queue, topic or container.</param>
/// <param name="Partition">A hub's partition.</param>
/// <param name="Group">A hub's consumer group.</param>
/// <param name="Detail">Message id, sequence number or blob name. The first one of several.</param>
internal readonly record struct FaultTarget(string Service, string? Entity = null, string? Partition = null, string? Group = null, string? Detail = null)
{
    /// <summary>The message ids of an operation of several. Null of any other one.</summary>
    public IReadOnlyList<string>? Batch { get; init; }

    public const string EventHubs = "eventhubs";
    public const string ServiceBus = "servicebus";
    public const string Blobs = "blobs";

    public static IReadOnlyList<string> Services { get; } = [EventHubs, ServiceBus, Blobs];

    /// <summary>Of the nodes of the whole namespace, which have no entity's name, it is about the service.</summary>
    public static FaultTarget Of(string service, string? entity) => new(service, string.IsNullOrEmpty(entity) ? null : entity);

    /// <summary>Whether it is about this message id, sequence number or blob name, alone or among others.</summary>
    public bool Holds(string detail) => detail == Detail || (Batch?.Contains(detail, StringComparer.Ordinal) ?? false);

    /// <summary>As the journal has it: its parts with slashes between them.</summary>
    public override string ToString() => string.Join('/', new[] { Entity ?? Service, Group, Partition, Detail }.Where(static part => part is not null));
}
