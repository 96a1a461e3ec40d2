namespace EventHubThroughput.Amqp;

/// <summary>Decides on the links that a peer asks for. One for each connection.</summary>
public interface ILinkAcceptor
{
    /// <summary>
    /// Accepts or refuses one link. Calls start on the read loop in the order of arrival and are not awaited there. An exception refuses the link as an
    /// internal error.
    /// </summary>
    ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken);
}
