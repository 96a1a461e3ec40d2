using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Processing;

/// <summary>The event hub that a processing reads, and its dead-letter store.</summary>
public sealed record EventHubSource
{
    /// <summary>
    /// The clients of the event hub and its checkpoints, disposed of by the caller. They should try writes once (<see cref="ClientOptions.Writes"/>), because
    /// the processing retries them.
    /// </summary>
    public required IEventHubClients Clients { get; init; }

    /// <summary>The event hub.</summary>
    public required string EventHubName { get; init; }

    /// <summary>The consumer group. Default <c>$Default</c>.</summary>
    public string ConsumerGroup { get; init; } = "$Default";

    /// <summary>The container of the dead letters, which <see cref="PoisonPolicy.DeadLetter"/> needs. Default null.</summary>
    public IBlobContainer? DeadLetters { get; init; }
}
