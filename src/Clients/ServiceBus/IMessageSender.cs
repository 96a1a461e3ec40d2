using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>A message to be sent.</summary>
public sealed record OutgoingMessage
{
    /// <summary>The identifier. At most 128 characters.</summary>
    public required string MessageId { get; init; }

    /// <summary>The body. What the bytes are is said by <see cref="BodyKind"/>.</summary>
    public required ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>What <see cref="Body"/> is.</summary>
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
    /// Sends messages as one batch, all or none. The service says how large a batch may be: the size of a message, and since July 2026 a size of batches
    /// (<c>com.microsoft:max-message-batch-size</c>).
    /// </summary>
    /// <exception cref="MessagingException">Kind TooLarge when the batch is larger than the service takes. Nothing was sent.</exception>
    ValueTask SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken);
}
