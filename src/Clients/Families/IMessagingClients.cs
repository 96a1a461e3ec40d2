namespace EventHubThroughput.Clients;

/// <summary>The clients of all three services, as a <see cref="ClientFamily"/> makes them.</summary>
public interface IMessagingClients : IEventHubClients, IServiceBusClients, IBlobClients;
