namespace EventHubThroughput.Clients;

/// <summary>
/// Tries what a consumer is allowed to do, as far as that changes nothing: no event or message is sent, no ownership is claimed. The clients of both families
/// implement it.
/// </summary>
public interface IAccessProbe
{
    /// <summary>Opens a link that reads a partition in the consumer group, without an owner level, and closes it.</summary>
    /// <exception cref="MessagingException">Kind OwnershipLost if a reader with an owner level has the partition. The right to read is then proven.</exception>
    Task OpenPartitionAsync(string partitionId, CancellationToken cancellationToken);

    /// <summary>Opens a link that sends to a queue or topic, and closes it.</summary>
    /// <returns>The most bytes of a batch, or <see cref="long.MaxValue"/> if the service names no limit.</returns>
    Task<long> OpenSenderAsync(string entity, CancellationToken cancellationToken);

    /// <summary>Requests an Entra ID token for a service.</summary>
    /// <returns>When the token expires. Null if the service has a key, so that no token is requested.</returns>
    /// <exception cref="MessagingException">No source of identities returned a token.</exception>
    Task<DateTimeOffset?> RequestTokenAsync(ProbedService service, CancellationToken cancellationToken);
}
