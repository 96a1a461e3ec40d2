using Azure.Messaging.ServiceBus;
using EventHubThroughput.Clients.Azure.Failures;
using EventHubThroughput.Clients.Azure.Lifetime;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Clients.ServiceBus;

namespace EventHubThroughput.Clients.Azure.ServiceBus;

/// <summary>Sends messages over the package's sender. Concurrent sends share its link.</summary>
/// <param name="sender">The package's sender, owned by this one.</param>
/// <param name="entity">The queue or topic.</param>
/// <param name="failures">Converts failures to the exception of the clients.</param>
/// <param name="observer">Called before the package receives a message, because the package has no later hook. Or null.</param>
internal sealed class OfficialMessageSender(ServiceBusSender sender, string entity, ServiceBusFailures failures, Action<OperationStep>? observer)
    : IMessageSender
{
    private readonly EntityLabel label = EntityLabel.Messages(entity);

    // Without RunAsync, whose closure would be allocated for every message.
    public async ValueTask SendAsync(OutgoingMessage message, CancellationToken cancellationToken)
    {
        var started = failures.Begin();
        try
        {
            var sending = sender.SendMessageAsync(MessageConversion.Of(message), cancellationToken);
            observer?.Invoke(new OperationStep(OperationMoment.OnTheWire, entity));
            await sending.ConfigureAwait(false);
            failures.Succeeded();
        }
        catch (Exception exception) when (PackageFailures.IsFailure(exception, cancellationToken))
        {
            throw failures.Of(exception, label, started);
        }
    }

    public async ValueTask SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken)
    {
        if (messages.Count == 1)
        {
            // The package's batch reserves space, so a large message would not fit into it.
            await SendAsync(messages[0], cancellationToken).ConfigureAwait(false);
        }
        else if (messages.Count > 1)
        {
            await failures.RunAsync(label, () => SendAllAsync(messages, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Opens the link. Returns the most bytes of a batch.</summary>
    public Task<long> GetBatchLimitAsync(CancellationToken cancellationToken) =>
        failures.RunAsync(
            label,
            async () =>
            {
                using var batch = await sender.CreateMessageBatchAsync(cancellationToken).ConfigureAwait(false);
                return batch.MaxSizeInBytes;
            },
            cancellationToken
        );

    public ValueTask DisposeAsync() => Closing.EndAsync(sender.DisposeAsync);

    private async Task SendAllAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken)
    {
        using var batch = await sender.CreateMessageBatchAsync(cancellationToken).ConfigureAwait(false);
        foreach (var message in messages)
        {
            if (!batch.TryAddMessage(MessageConversion.Of(message)))
            {
                throw new MessagingException(
                    FailureKind.TooLarge,
                    $"batch of {messages.Count:N0} messages exceeds the limit of {batch.MaxSizeInBytes:N0} bytes at message {batch.Count:N0}"
                );
            }
        }

        var sending = sender.SendMessagesAsync(batch, cancellationToken);
        observer?.Invoke(new OperationStep(OperationMoment.OnTheWire, entity));
        await sending.ConfigureAwait(false);
    }
}
