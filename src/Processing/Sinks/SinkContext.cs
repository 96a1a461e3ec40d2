using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.ServiceBus;

namespace EventHubThroughput.Processing;

/// <summary>
/// What a sink may be created from: the event hub's name, and clients of other services if the processing has them. A sink with its own client needs neither.
/// </summary>
/// <param name="EventHubName">The event hub, for names that are derived from events.</param>
public sealed record SinkContext(string EventHubName)
{
    /// <summary>The clients of Service Bus. Null where the processing has none.</summary>
    public IServiceBusClients? ServiceBus { get; init; }

    /// <summary>The queue or topic that sinks send to. Null where the processing has none.</summary>
    public string? MessageEntity { get; init; }

    /// <summary>The clients of storage. Null where the processing has none.</summary>
    public IBlobClients? Blobs { get; init; }

    /// <summary>The container that events are archived in. Null where the processing has none.</summary>
    public string? ArchiveContainer { get; init; }

    /// <summary>The sink that is being created, for messages.</summary>
    internal string SinkName { get; init; } = "";

    /// <summary>Creates the context from the clients and names of settings. A service that the settings do not name is left out.</summary>
    /// <param name="clients">The clients.</param>
    /// <param name="settings">The addresses of the services.</param>
    public static SinkContext From(IMessagingClients clients, MessagingSettings settings)
    {
        ArgumentNullException.ThrowIfNull(clients);
        ArgumentNullException.ThrowIfNull(settings);
        return new SinkContext(settings.EventHubName)
        {
            ServiceBus = settings.ServiceBus is null ? null : clients,
            MessageEntity = settings.MessageEntity,
            Blobs = settings.Storage is null ? null : clients,
            ArchiveContainer = settings.ArchiveContainer,
        };
    }

    /// <summary>Creates a sender, which the sink disposes of.</summary>
    /// <param name="entity">The queue or topic. Null for <see cref="MessageEntity"/>.</param>
    /// <exception cref="InvalidOperationException">
    /// The processing has no Service Bus, or no queue or topic. The message names the sink and the setting.
    /// </exception>
    public IMessageSender CreateMessageSender(string? entity = null) =>
        (ServiceBus ?? throw Missing("Service Bus", $"{nameof(MessagingSettings)}.{nameof(MessagingSettings.ServiceBus)}")).CreateMessageSender(
            entity
                ?? MessageEntity
                ?? throw Missing("a queue or topic", $"{nameof(MessagingSettings)}.{nameof(MessagingSettings.Queue)} or {nameof(MessagingSettings.Topic)}")
        );

    /// <summary>Returns a container. Nothing is created.</summary>
    /// <param name="name">The container. Null for <see cref="ArchiveContainer"/>.</param>
    /// <exception cref="InvalidOperationException">The processing has no storage, or no archive. The message names the sink and the setting.</exception>
    public IBlobContainer GetBlobContainer(string? name = null) =>
        (Blobs ?? throw Missing("storage", $"{nameof(MessagingSettings)}.{nameof(MessagingSettings.Storage)}")).GetBlobContainer(
            name ?? ArchiveContainer ?? throw Missing("an archive", $"{nameof(MessagingSettings)}.{nameof(MessagingSettings.ArchiveContainer)}")
        );

    private InvalidOperationException Missing(string what, string setting) =>
        new(
            $"sink '{SinkName}' needs {what}, and {setting} is not set. A processing without {nameof(MessagingSettings)} takes sinks that have their own clients."
        );
}
