namespace EventHubThroughput.Clients;

/// <summary>The services for which Entra ID issues separate tokens.</summary>
public enum ProbedService
{
    /// <summary>Event Hubs.</summary>
    EventHubs,

    /// <summary>Service Bus.</summary>
    ServiceBus,

    /// <summary>Blob Storage.</summary>
    Storage,
}
