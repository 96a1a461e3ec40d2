using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>Settings of a receiver.</summary>
public sealed record MessageReceiverOptions
{
    /// <summary>Messages requested ahead; 0 asks only when a call waits.</summary>
    public int Prefetch { get; init; }

    /// <summary>True removes a message when it is delivered; false locks it until it is settled.</summary>
    public bool ReceiveAndDelete { get; init; }
}

/// <summary>A received message, locked for this receiver until it is settled or the lock expires.</summary>
public sealed record ReceivedMessage
{
    /// <summary>The identifier that the sender gave.</summary>
    public required string MessageId { get; init; }

    /// <summary>The body; what the bytes are is said by <see cref="BodyKind"/>.</summary>
    public required ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>What <see cref="Body"/> is.</summary>
    public EventBodyKind BodyKind { get; init; }

    /// <summary>The number that the entity gave it.</summary>
    public required long SequenceNumber { get; init; }

    /// <summary>How often it was delivered before.</summary>
    public int DeliveryCount { get; init; }

    /// <summary>The content type, or null.</summary>
    public string? ContentType { get; init; }

    /// <summary>Application properties as one encoded AMQP map; empty for none.</summary>
    public ReadOnlyMemory<byte> EncodedProperties { get; init; }

    /// <summary>When the lock ends, by the service's clock.</summary>
    public DateTimeOffset LockedUntil { get; init; }

    /// <summary>The lock's token.</summary>
    public required Guid LockToken { get; init; }

    // By what the receiver that gave the message settles it; what that is, is its own business.
    internal object? Handle { get; init; }
}

/// <summary>Receives messages of one queue or subscription.</summary>
public interface IMessageReceiver : IAsyncDisposable
{
    /// <summary>Receives up to <paramref name="maximum"/> messages; returns with the first ones, or empty after <paramref name="wait"/>.</summary>
    Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(int maximum, TimeSpan wait, CancellationToken cancellationToken);

    /// <summary>Removes a locked message. Kind LockLost when the lock has gone.</summary>
    Task CompleteAsync(ReceivedMessage message, CancellationToken cancellationToken);

    /// <summary>Gives a locked message back at once; its delivery count rises.</summary>
    Task AbandonAsync(ReceivedMessage message, CancellationToken cancellationToken);

    /// <summary>
    /// Looks at messages in the order of their sequence numbers and leaves them as they are: none is locked, removed or counted as
    /// delivered. What it returns cannot be settled. Empty when there is none from <paramref name="fromSequenceNumber"/> on.
    /// </summary>
    /// <param name="fromSequenceNumber">The lowest sequence number wanted.</param>
    /// <param name="maximum">The most messages; the service may give fewer although there are more.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    Task<IReadOnlyList<ReceivedMessage>> PeekAsync(long fromSequenceNumber, int maximum, CancellationToken cancellationToken);
}
