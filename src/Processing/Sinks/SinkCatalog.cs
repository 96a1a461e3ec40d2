namespace EventHubThroughput.Processing;

/// <summary>The sinks of the library, in the order of their places. A new sink is one line here.</summary>
public static class SinkCatalog
{
    /// <summary>All sinks.</summary>
    public static IReadOnlyList<SinkDescriptor> All { get; } =
    [
        new(
            ServiceBusSink.SinkName,
            "Each event as one message of a queue or topic.",
            static context => new ServiceBusSink(context.CreateMessageSender(), context.EventHubName)
        )
        {
            NeedsServiceBus = true,
        },
        new(
            BlobSink.SinkName,
            "Each event as one blob of the archive container.",
            static context => new BlobSink(context.GetBlobContainer(), context.EventHubName)
        ),
    ];

    /// <summary>The sink of a name.</summary>
    /// <exception cref="ArgumentException">No sink has this name. The message lists those that exist.</exception>
    public static SinkDescriptor Find(string name) =>
        All.FirstOrDefault(descriptor => descriptor.Name == name)
        ?? throw new ArgumentException($"'{name}': unknown. Known: {string.Join(", ", All.Select(descriptor => descriptor.Name))}", nameof(name));
}
