namespace EventHubThroughput.Lab.Results;

/// <summary>The services that a comparison ran on. No secret is among them.</summary>
internal sealed record ComparedServices
{
    /// <summary>The host of the namespace of the event hub.</summary>
    public required string EventHubs { get; init; }

    /// <summary>The event hub.</summary>
    public required string EventHub { get; init; }

    /// <summary>The host of the Service Bus namespace.</summary>
    public required string ServiceBus { get; init; }

    /// <summary>The host of the storage account.</summary>
    public required string Storage { get; init; }
}
