using Azure.Messaging.ServiceBus;
using EventHubThroughput.Clients.Azure.Lifetime;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Clients.ServiceBus;

namespace EventHubThroughput.Clients.Azure.ServiceBus;

/// <summary>
/// Receives over the package's receiver. Credit that a call did not use stays on its link, so messages may be locked for it between calls. The next call
/// returns those first.
/// </summary>
/// <param name="receiver">The package's receiver, owned by this one.</param>
/// <param name="entity">The queue or subscription.</param>
/// <param name="failures">Converts failures to the exception of the clients.</param>
internal sealed class OfficialMessageReceiver(ServiceBusReceiver receiver, string entity, ServiceBusFailures failures) : IMessageReceiver
{
    // The package accepts no wait of zero unless messages are prefetched.
    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(1);

    private readonly EntityLabel label = EntityLabel.Messages(entity);

    public async Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(int maximum, TimeSpan wait, CancellationToken cancellationToken)
    {
        var atLeast = wait > ShortestWait ? wait : ShortestWait;
        var messages = await failures
            .RunAsync(label, () => receiver.ReceiveMessagesAsync(maximum, atLeast, cancellationToken), cancellationToken)
            .ConfigureAwait(false);
        return [.. messages.Select(static message => MessageConversion.Of(message, peeked: false))];
    }

    public Task CompleteAsync(ReceivedMessage message, CancellationToken cancellationToken) =>
        failures.RunAsync(label, () => receiver.CompleteMessageAsync(HeldBy(message), cancellationToken), cancellationToken);

    public Task AbandonAsync(ReceivedMessage message, IReadOnlyDictionary<string, object?>? propertiesToModify, CancellationToken cancellationToken) =>
        failures.RunAsync(
            label,
            () => receiver.AbandonMessageAsync(HeldBy(message), MessageConversion.Changes(propertiesToModify), cancellationToken),
            cancellationToken
        );

    public Task DeferAsync(ReceivedMessage message, IReadOnlyDictionary<string, object?>? propertiesToModify, CancellationToken cancellationToken) =>
        failures.RunAsync(
            label,
            () => receiver.DeferMessageAsync(HeldBy(message), MessageConversion.Changes(propertiesToModify), cancellationToken),
            cancellationToken
        );

    public Task DeadLetterAsync(ReceivedMessage message, string reason, string? description, CancellationToken cancellationToken) =>
        failures.RunAsync(label, () => receiver.DeadLetterMessageAsync(HeldBy(message), reason, description, cancellationToken), cancellationToken);

    public async Task<IReadOnlyList<ReceivedMessage>> ReceiveDeferredAsync(IReadOnlyList<long> sequenceNumbers, CancellationToken cancellationToken)
    {
        var messages = await failures
            .RunAsync(label, () => receiver.ReceiveDeferredMessagesAsync(sequenceNumbers, cancellationToken), cancellationToken)
            .ConfigureAwait(false);
        return [.. messages.Select(static message => MessageConversion.Of(message, peeked: false))];
    }

    public async Task<DateTimeOffset> RenewLockAsync(ReceivedMessage message, CancellationToken cancellationToken)
    {
        // The package stores the new end in its own message.
        var held = HeldBy(message);
        await failures.RunAsync(label, () => receiver.RenewMessageLockAsync(held, cancellationToken), cancellationToken).ConfigureAwait(false);
        return held.LockedUntil;
    }

    public async Task<IReadOnlyList<ReceivedMessage>> PeekAsync(long fromSequenceNumber, int maximum, CancellationToken cancellationToken)
    {
        var messages = await failures
            .RunAsync(label, () => receiver.PeekMessagesAsync(maximum, fromSequenceNumber, cancellationToken), cancellationToken)
            .ConfigureAwait(false);
        return [.. messages.Select(static message => MessageConversion.Of(message, peeked: true))];
    }

    public ValueTask DisposeAsync() => Closing.EndAsync(receiver.DisposeAsync);

    private ServiceBusReceivedMessage HeldBy(ReceivedMessage message) =>
        message.Handle as ServiceBusReceivedMessage
        ?? throw new MessagingException(FailureKind.LockLost, $"{label}: message {message.SequenceNumber} was given without a lock");
}
