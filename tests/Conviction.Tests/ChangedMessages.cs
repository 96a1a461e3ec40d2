using EventHubThroughput.Clients.ServiceBus;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>A sender through which each message goes changed: what a mistake in the code that makes the message comes to.</summary>
internal sealed class ChangedMessages(IMessageSender inner, Func<OutgoingMessage, OutgoingMessage> change) : IMessageSender
{
    public ValueTask SendAsync(OutgoingMessage message, CancellationToken cancellationToken) => inner.SendAsync(change(message), cancellationToken);

    public ValueTask SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken) =>
        inner.SendBatchAsync([.. messages.Select(change)], cancellationToken);

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
