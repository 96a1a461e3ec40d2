using Azure.Core;
using Azure.Messaging.ServiceBus.Administration;
using Azure.Storage;
using Azure.Storage.Blobs;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Azure.Auth;
using EventHubThroughput.Clients.Azure.Identity;

namespace EventHubThroughput.Clients.Azure.Administration;

/// <summary>Creates and deletes entities of the three services, with the credentials of the settings.</summary>
internal sealed class ServiceAdministration : IDisposable
{
    // The name of the metadata of a container. Names have letters and digits only.
    private const string OwnerName = "eventhubthroughput";

    private readonly AdministrationTransport transport;
    private readonly ServiceBusAdministrationClient messages;
    private readonly AdministrationFailures failures;

    /// <param name="settings">The services. All three of them are given.</param>
    /// <param name="retry">The retries of each operation.</param>
    /// <param name="timeProvider">The clock of the tokens.</param>
    public ServiceAdministration(MessagingSettings settings, RetryOptions retry, TimeProvider timeProvider)
    {
        var (serviceBus, storage) = (settings.ServiceBus!, settings.Storage!);
        var credential = EntraId.CredentialFor(settings);
        transport = new AdministrationTransport(retry, settings.EventHub.IsLoopback);
        var address = new AdministrationAddress(serviceBus);
        failures = new AdministrationFailures(address.Uri.Authority);
        messages = Connect(serviceBus, address, credential);
        ConsumerGroups = OfGroups(
            new ConsumerGroupRequests(settings.EventHub, settings.EventHubName, settings.EventHub.Key is null ? credential : null, transport, timeProvider),
            settings.EventHubName
        );
        Queues = new EntityAdministration(static name => $"queue '{name}'", failures)
        {
            Create = (name, owner, token) => messages.CreateQueueAsync(new CreateQueueOptions(name) { UserMetadata = owner }, token),
            ReadOwner = async (name, token) => (await messages.GetQueueAsync(name, token).ConfigureAwait(false)).Value.UserMetadata,
            Delete = messages.DeleteQueueAsync,
        };
        Topics = new EntityAdministration(static name => $"topic '{name}'", failures)
        {
            Create = (name, owner, token) => messages.CreateTopicAsync(new CreateTopicOptions(name) { UserMetadata = owner }, token),
            ReadOwner = async (name, token) => (await messages.GetTopicAsync(name, token).ConfigureAwait(false)).Value.UserMetadata,
            Delete = messages.DeleteTopicAsync,
        };
        Containers = OfContainers(storage, credential);
    }

    /// <summary>The consumer groups of the event hub.</summary>
    public EntityAdministration ConsumerGroups { get; }

    /// <summary>The queues of the Service Bus namespace.</summary>
    public EntityAdministration Queues { get; }

    /// <summary>The topics of the Service Bus namespace.</summary>
    public EntityAdministration Topics { get; }

    /// <summary>The containers of the storage account.</summary>
    public EntityAdministration Containers { get; }

    /// <summary>The subscriptions of a topic.</summary>
    public EntityAdministration GetSubscriptions(string topic) =>
        new(name => $"subscription '{name}' of topic '{topic}'", failures)
        {
            Create = (name, owner, token) => messages.CreateSubscriptionAsync(new CreateSubscriptionOptions(topic, name) { UserMetadata = owner }, token),
            ReadOwner = async (name, token) => (await messages.GetSubscriptionAsync(topic, name, token).ConfigureAwait(false)).Value.UserMetadata,
            Delete = (name, token) => messages.DeleteSubscriptionAsync(topic, name, token),
        };

    public void Dispose() => transport.Dispose();

    private static EntityAdministration OfGroups(ConsumerGroupRequests groups, string hub) =>
        new(name => $"consumer group '{name}' of event hub '{hub}'", new AdministrationFailures(groups.Authority))
        {
            Create = groups.CreateAsync,
            ReadOwner = groups.ReadMetadataAsync,
            Delete = groups.DeleteAsync,
        };

    private ServiceBusAdministrationClient Connect(MessagingConnectionString service, AdministrationAddress address, TokenCredential? credential)
    {
        var options = transport.ApplyTo(new ServiceBusAdministrationClientOptions());
        options.AddPolicy(address.UsePort(), HttpPipelinePosition.BeforeTransport);
        return service.Key is null
            ? new ServiceBusAdministrationClient(service.Host, credential, options)
            : new ServiceBusAdministrationClient(SdkConnectionString.Of(service), options);
    }

    private EntityAdministration OfContainers(StorageConnectionString account, TokenCredential? credential)
    {
        var options = transport.ApplyTo(new BlobClientOptions());
        var service = account.AccountKey.IsEmpty
            ? new BlobServiceClient(account.BlobEndpoint, credential, options)
            : new BlobServiceClient(
                account.BlobEndpoint,
                new StorageSharedKeyCredential(account.AccountName, Convert.ToBase64String(account.AccountKey.Span)),
                options
            );
        return new EntityAdministration(static name => $"container '{name}'", new AdministrationFailures(account.BlobEndpoint.Authority))
        {
            Create = (name, owner, token) =>
                service.CreateBlobContainerAsync(name, metadata: new Dictionary<string, string> { [OwnerName] = owner }, cancellationToken: token),
            ReadOwner = async (name, token) =>
                (await service.GetBlobContainerClient(name).GetPropertiesAsync(cancellationToken: token).ConfigureAwait(false)).Value.Metadata.TryGetValue(
                    OwnerName,
                    out var owner
                )
                    ? owner
                    : null,
            Delete = (name, token) => service.DeleteBlobContainerAsync(name, cancellationToken: token),
        };
    }
}
