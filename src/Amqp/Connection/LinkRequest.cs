using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A peer's wish for a link. It is answered once, by one of the three verbs.</summary>
public sealed class LinkRequest
{
    internal LinkRequest(AmqpSession session, Attach attach)
    {
        Session = session;
        Attach = attach;
    }

    /// <summary>The connection.</summary>
    public AmqpConnection Connection => Session.Connection;

    /// <summary>The session.</summary>
    public AmqpSession Session { get; }

    /// <summary>The peer's attach.</summary>
    public Attach Attach { get; }

    /// <summary>True when the peer wants to send.</summary>
    public bool PeerIsSender => Attach.Role == LinkRole.Sender;

    /// <summary>Accepts a peer that wants to send.</summary>
    /// <param name="answer">What the answer says.</param>
    /// <param name="initialCredit">How many messages it may send for now.</param>
    /// <exception cref="InvalidOperationException">The request is answered already, or the peer wants to receive.</exception>
    /// <exception cref="AmqpException">Session or connection are over.</exception>
    public AmqpReceiver AcceptReceiver(LinkAnswer answer, uint initialCredit) => throw new NotSupportedException();

    /// <summary>
    /// Accepts a peer that wants to receive. Its credit may be there at once: look at <see cref="AmqpSender.Credit"/> and
    /// <see cref="AmqpSender.DrainRequested"/> after subscribing to <see cref="AmqpSender.CreditChanged"/>.
    /// </summary>
    /// <param name="answer">What the answer says.</param>
    /// <exception cref="InvalidOperationException">The request is answered already, or the peer wants to send.</exception>
    /// <exception cref="AmqpException">Session or connection are over.</exception>
    public AmqpSender AcceptSender(LinkAnswer answer) => throw new NotSupportedException();

    /// <summary>Refuses: an attach with neither source nor target, then a detach with the error.</summary>
    /// <exception cref="InvalidOperationException">The request is answered already.</exception>
    public void Refuse(AmqpError error) => throw new NotSupportedException();
}
