using EventHubThroughput.Clients;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Lab.Diagnosing;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Checks the rights that a comparison needs, before events are sent. Nothing is sent or claimed.</summary>
/// <param name="settings">The services, with the entities of a cell.</param>
/// <param name="family">The clients.</param>
/// <param name="clock">The clock.</param>
internal sealed class ServiceRights(MessagingSettings settings, ClientFamily family, TimeProvider clock)
{
    private static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(60);

    /// <summary>Checks connections, tokens, and the right to read the hub.</summary>
    /// <returns>The number of partitions.</returns>
    /// <exception cref="FailureException">A check failed. The message names the cause and what the user can do.</exception>
    public async Task<int> EnsureHubAsync(CancellationToken cancellationToken)
    {
        var storage = GetStorageClock();
        await using var clients = Connect(storage);
        await EnsureAsync(new ServiceDiagnosis(settings, clients, new SystemNetwork(), storage, GetLimit()) { IsOfHub = true }, cancellationToken);
        return (await clients.GetEventHubPropertiesAsync(cancellationToken)).PartitionIds.Count;
    }

    /// <summary>Checks all rights that a cell, its sender and its verdict need.</summary>
    /// <param name="subscription">The subscription of the topic. Null with a queue.</param>
    /// <param name="cancellationToken">Cancels the checks.</param>
    /// <exception cref="FailureException">A check failed. The message names the right and what the user can do.</exception>
    public async Task EnsureAsync(string? subscription, CancellationToken cancellationToken)
    {
        var storage = GetStorageClock();
        await using var clients = Connect(storage);
        await EnsureAsync(new ServiceDiagnosis(settings, clients, new SystemNetwork(), storage, GetLimit()), cancellationToken);
        var hub = $"event hub '{settings.EventHubName}'";
        await EnsureAsync(
            AccessNeed.OfMessaging(
                hub,
                "Send",
                "Azure Event Hubs Data Sender",
                settings.GetAddress(ProbedService.EventHubs).KeyName,
                "create the event hub, or correct EVENTHUB_NAME"
            ),
            async token =>
            {
                await using var writer = clients.CreateEventHubWriter();
                _ = await writer.CreateBatchAsync(null, null, token);
            },
            cancellationToken
        );
        var messages = subscription is null ? $"queue '{settings.Queue}'" : $"subscription '{subscription}' of topic '{settings.Topic}'";
        await EnsureAsync(
            AccessNeed.OfMessaging(
                messages,
                "Listen",
                "Azure Service Bus Data Receiver",
                settings.GetAddress(ProbedService.ServiceBus).KeyName,
                "create it, and start again"
            ),
            async token =>
            {
                var entity = subscription is null ? settings.Queue! : $"{settings.Topic}/Subscriptions/{subscription}";
                await using var receiver = clients.CreateMessageReceiver(entity, new MessageReceiverOptions());
                _ = await receiver.PeekAsync(0, 1, token);
            },
            cancellationToken
        );
    }

    private static async Task EnsureAsync(ServiceDiagnosis diagnosis, CancellationToken cancellationToken)
    {
        await foreach (var result in diagnosis.RunAsync(cancellationToken))
        {
            Refuse(result);
        }
    }

    private async Task EnsureAsync(AccessNeed need, Func<CancellationToken, Task> operation, CancellationToken cancellationToken)
    {
        try
        {
            await GetLimit().RunAsync(operation, cancellationToken);
        }
        catch (MessagingException failure)
        {
            Refuse(need.GetFailure(need.Entity, failure));
        }
    }

    private static void Refuse(CheckResult result)
    {
        if (result.Outcome == CheckOutcome.Failed)
        {
            throw new FailureException(FailureCause.Dependency, $"{result.Subject}: {result.Text}. Cure: {result.Cure}");
        }
    }

    private CheckLimit GetLimit() => new(AnswerLimit, clock);

    private static StorageClock GetStorageClock() => new(new ProcessingOptions().OwnershipExpiry);

    private IMessagingClients Connect(StorageClock storage) => family.Connect(settings, GetLimit().GetClientOptions(storage));
}
