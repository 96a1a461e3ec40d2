using Azure.Messaging.EventHubs;
using Azure.Storage.Blobs;

namespace EventHubThroughput.Processing.Azure;

/// <summary>
/// The options of a <see cref="ConcurrentEventProcessor"/>. Every default is safe. <see cref="ProcessingOptions.OwnershipExpiry"/> is 2 min unless set, as
/// that of an <c>EventProcessorClient</c>. Such a client in the same consumer group renews its ownerships every 30 s, so a shorter time would take its
/// partitions.
/// </summary>
public sealed record ConcurrentEventProcessorOptions : ProcessingOptions
{
    /// <summary>Every default.</summary>
    public ConcurrentEventProcessorOptions() => OwnershipExpiry = TimeSpan.FromMinutes(2);

    /// <summary>
    /// The container of the dead letters, which <see cref="PoisonPolicy.DeadLetter"/> needs. It must exist and must not be the container of the checkpoints.
    /// Default null.
    /// </summary>
    public BlobContainerClient? DeadLetters { get; init; }

    /// <summary>Transport (WebSockets), proxy and custom endpoint of the connections to Event Hubs. Default AMQP over TCP.</summary>
    public EventHubConnectionOptions ConnectionOptions { get; init; } = new();

    internal override IEnumerable<string> Problems() =>
        [
            .. base.Problems(),
            .. OnPoison == PoisonPolicy.DeadLetter && DeadLetters is null
                ? [$"{nameof(OnPoison)} {OnPoison}: needs {nameof(DeadLetters)}, the container of the dead letters"]
                : Array.Empty<string>(),
        ];

    // A dead letter among checkpoints would be listed as one.
    internal IEnumerable<string> ProblemsBeside(BlobContainerClient checkpointStore) =>
        DeadLetters is { } container && container.Uri == checkpointStore.Uri
            ? [$"{nameof(DeadLetters)} '{container.Name}': is the container of the checkpoints, must be another one"]
            : [];
}
