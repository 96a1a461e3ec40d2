namespace EventHubThroughput.Clients;

/// <summary>The clients of all three services, as a <see cref="ClientFamily"/> creates them.</summary>
public interface IMessagingClients : IEventHubClients, IServiceBusClients, IBlobClients;
