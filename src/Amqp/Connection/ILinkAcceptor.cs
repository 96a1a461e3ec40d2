namespace EventHubThroughput.Amqp;

/// <summary>Decides about the links that a peer asks for; one per connection.</summary>
public interface ILinkAcceptor
{
    /// <summary>
    /// Answers a request, now or later. Started on the connection's read loop in the order of arrival, and not awaited there:
    /// it must not block. An exception, or returning without an answer, refuses the link with <c>amqp:internal-error</c>.
    /// </summary>
    /// <param name="request">The request.</param>
    /// <param name="cancellationToken">Cancelled when the connection is over.</param>
    ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken);
}
