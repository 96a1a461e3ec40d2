using EventHubThroughput.Clients.ServiceBus;

namespace EventHubThroughput.Clients;

/// <summary>Creates the clients of one Service Bus namespace, which share its connection.</summary>
public interface IServiceBusClients : IAsyncDisposable
{
    /// <summary>Creates a sender to a queue or topic.</summary>
    IMessageSender CreateMessageSender(string entity);

    /// <summary>Creates a receiver of a queue or subscription.</summary>
    IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options);
}
