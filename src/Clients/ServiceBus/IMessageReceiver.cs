using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>Settings of a receiver.</summary>
public sealed record MessageReceiverOptions
{
    /// <summary>The largest <see cref="Prefetch"/>.</summary>
    public const int MostPrefetch = 10_000;

    /// <summary>Messages requested ahead, 0 to 10,000. 0, the default, asks only when a call waits.</summary>
    public int Prefetch { get; init; }

    /// <summary>True removes a message when it is delivered. False locks it until it is settled.</summary>
    public bool ReceiveAndDelete { get; init; }

    /// <summary>The problems of the options, one line each, <c>Option value: what is allowed</c>. None when they are valid.</summary>
    internal IEnumerable<string> Problems() => OptionLimits.Check(nameof(Prefetch), Prefetch, 0, MostPrefetch);
}

/// <summary>A received message, locked for this receiver until it is settled or the lock expires.</summary>
public sealed record ReceivedMessage
{
    /// <summary>The identifier that the sender gave.</summary>
    public required string MessageId { get; init; }

    /// <summary>The body, of the kind <see cref="BodyKind"/>.</summary>
    public required ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>The kind of <see cref="Body"/>.</summary>
    public EventBodyKind BodyKind { get; init; }

    /// <summary>The number that the entity assigned.</summary>
    public required long SequenceNumber { get; init; }

    /// <summary>The number of earlier deliveries.</summary>
    public int DeliveryCount { get; init; }

    /// <summary>The content type, or null.</summary>
    public string? ContentType { get; init; }

    /// <summary>Application properties as one encoded AMQP map. Empty for none.</summary>
    public ReadOnlyMemory<byte> EncodedProperties { get; init; }

    /// <summary>When the lock ended at delivery, by the service's clock. A renewal does not change this value.</summary>
    public DateTimeOffset LockedUntil { get; init; }

    /// <summary>The lock's token.</summary>
    public required Guid LockToken { get; init; }

    /// <summary>The reason of dead-lettering. Null for a message that is not a dead letter, or without a reason.</summary>
    public string? DeadLetterReason => GetText(AmqpNames.DeadLetterReason);

    /// <summary>The description of the dead-lettering. Null as <see cref="DeadLetterReason"/>.</summary>
    public string? DeadLetterErrorDescription => GetText(AmqpNames.DeadLetterErrorDescription);

    // What the receiver of the message needs to settle it. Only that receiver uses it.
    internal object? Handle { get; init; }

    private string? GetText(string property) => Clients.EncodedProperties.Decode(EncodedProperties).GetValueOrDefault(property) as string;
}

/// <summary>
/// Receives messages of one queue or subscription, or of its dead letters (<c>{entity}/$DeadLetterQueue</c>). A locked message is the receiver's until it is
/// settled or its lock ends: about a minute in Azure, unless it is renewed. The lock outlives the link that delivered the message. After the link has closed,
/// the message is settled through the entity's management node.
/// </summary>
/// <remarks>
/// Outcomes on the wire are those of AMQP 1.0 part 3, 3.4: accepted completes, modified abandons, modified and undeliverable here defers,
/// rejected with <c>com.microsoft:dead-letter</c> dead-letters. One receive at a time. Everything else may be called concurrently.
/// </remarks>
public interface IMessageReceiver : IAsyncDisposable
{
    /// <summary>
    /// Receives up to <paramref name="maximum"/> messages. Returns with the first ones, or empty after <paramref name="wait"/>. Without prefetch it requests
    /// at most that number, less the messages that have arrived already.
    /// </summary>
    /// <param name="maximum">The most messages. 1 or more.</param>
    /// <param name="wait">How long to wait for the first one. Zero takes only what the service sends immediately.</param>
    /// <param name="cancellationToken">Ends the wait. Messages that arrive later are kept for the next call.</param>
    /// <exception cref="MessagingException">The entity cannot be received from, or the retries are used up.</exception>
    Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(int maximum, TimeSpan wait, CancellationToken cancellationToken);

    /// <summary>Removes a locked message.</summary>
    /// <param name="message">The message.</param>
    /// <param name="cancellationToken">Ends the wait for the answer. It is then unknown whether the message is settled.</param>
    /// <exception cref="MessagingException">Kind LockLost when the lock is gone, or never existed.</exception>
    Task CompleteAsync(ReceivedMessage message, CancellationToken cancellationToken);

    /// <summary>Returns a locked message to the entity immediately. Its delivery count rises.</summary>
    /// <inheritdoc cref="CompleteAsync"/>
    Task AbandonAsync(ReceivedMessage message, CancellationToken cancellationToken) => AbandonAsync(message, null, cancellationToken);

    /// <summary>Returns a locked message to the entity immediately, with changed application properties. Its delivery count rises.</summary>
    /// <param name="message">The message.</param>
    /// <param name="propertiesToModify">Application properties to set, in the types that <see cref="PlainProperties"/> has. Null changes none.</param>
    /// <param name="cancellationToken">Ends the wait for the answer.</param>
    /// <exception cref="MessagingException">Kind LockLost when the lock is gone, or never existed.</exception>
    Task AbandonAsync(ReceivedMessage message, IReadOnlyDictionary<string, object?>? propertiesToModify, CancellationToken cancellationToken);

    /// <summary>
    /// Defers a locked message: from now on only <see cref="ReceiveDeferredAsync"/> returns it, so keep its <see cref="ReceivedMessage.SequenceNumber"/>.
    /// </summary>
    /// <inheritdoc cref="AbandonAsync(ReceivedMessage, IReadOnlyDictionary{string, object}, CancellationToken)"/>
    Task DeferAsync(ReceivedMessage message, IReadOnlyDictionary<string, object?>? propertiesToModify, CancellationToken cancellationToken);

    /// <summary>Receives deferred messages by their numbers. They are locked again, or removed if the receiver removes what it receives.</summary>
    /// <param name="sequenceNumbers">The numbers. At least one.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <exception cref="MessagingException">Kind NotFound when one of them is not deferred here. Then none is returned.</exception>
    Task<IReadOnlyList<ReceivedMessage>> ReceiveDeferredAsync(IReadOnlyList<long> sequenceNumbers, CancellationToken cancellationToken);

    /// <summary>Moves a locked message to the dead letters of its entity.</summary>
    /// <param name="message">The message.</param>
    /// <param name="reason">
    /// The reason, in a word or two: the application property <c>DeadLetterReason</c> of the dead letter. At most 4,096 characters.
    /// </param>
    /// <param name="description">A description, as <c>DeadLetterErrorDescription</c>. At most 4,096 characters. Null for none.</param>
    /// <param name="cancellationToken">Ends the wait for the answer.</param>
    /// <exception cref="MessagingException">Kind LockLost when the lock is gone, Permanent when the message is a dead letter already.</exception>
    Task DeadLetterAsync(ReceivedMessage message, string reason, string? description, CancellationToken cancellationToken);

    /// <summary>Restarts a message's lock for the entity's whole lock duration. <see cref="LockRenewal"/> does this automatically.</summary>
    /// <param name="message">The message.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <returns>The new end of the lock, by the service's clock.</returns>
    /// <exception cref="MessagingException">Kind LockLost when the lock is gone, or never existed.</exception>
    Task<DateTimeOffset> RenewLockAsync(ReceivedMessage message, CancellationToken cancellationToken);

    /// <summary>
    /// Returns messages in the order of their sequence numbers without changing them: none is locked, removed or counted as delivered. They cannot be
    /// settled. Empty when there is none from <paramref name="fromSequenceNumber"/> on.
    /// </summary>
    /// <param name="fromSequenceNumber">The lowest sequence number wanted.</param>
    /// <param name="maximum">The most messages. The service may return fewer although there are more.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    Task<IReadOnlyList<ReceivedMessage>> PeekAsync(long fromSequenceNumber, int maximum, CancellationToken cancellationToken);
}
