namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A queue's rules.</summary>
internal sealed record MessageQueueOptions
{
    public TimeSpan LockDuration { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Deliveries that may fail before a message becomes a dead letter.</summary>
    public int MaximumDeliveryCount { get; init; } = 10;
}
