using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>A message to be sent.</summary>
public sealed record OutgoingMessage
{
    /// <summary>The identifier. At most 128 characters.</summary>
    public required string MessageId { get; init; }

    /// <summary>The body, of the kind <see cref="BodyKind"/>.</summary>
    public required ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>The kind of <see cref="Body"/>.</summary>
    public EventBodyKind BodyKind { get; init; }

    /// <summary>The content type, or null.</summary>
    public string? ContentType { get; init; }

    /// <summary>Application properties as one encoded AMQP map. Empty for none.</summary>
    public ReadOnlyMemory<byte> EncodedProperties { get; init; }
}

/// <summary>Sends messages to one queue or topic.</summary>
public interface IMessageSender : IAsyncDisposable
{
    /// <summary>Sends one message. Completes when the service has stored it. May be called concurrently. Each task is awaited once.</summary>
    ValueTask SendAsync(OutgoingMessage message, CancellationToken cancellationToken);

    /// <summary>
    /// Sends messages as one batch, all or none. The service announces the largest batch: the size of a message, and since July 2026 a size of batches
    /// (<c>com.microsoft:max-message-batch-size</c>).
    /// </summary>
    /// <exception cref="MessagingException">Kind TooLarge when the batch is larger than the service accepts. Nothing was sent.</exception>
    ValueTask SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken);
}
