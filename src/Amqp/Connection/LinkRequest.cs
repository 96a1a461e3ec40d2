using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A link that the peer asks for. To be accepted or refused once.</summary>
public sealed class LinkRequest
{
    // Guarded by the connection's lock.
    private FlowHead? _flow;
    private bool _answered;
    private bool _gone;

    internal LinkRequest(AmqpSession session, Attach attach)
    {
        Session = session;
        Attach = attach;
    }

    /// <summary>The connection.</summary>
    public AmqpConnection Connection => Session.Connection;

    /// <summary>The session.</summary>
    public AmqpSession Session { get; }

    /// <summary>The peer's attach frame.</summary>
    public Attach Attach { get; }

    /// <summary>The accepted link. Null until then.</summary>
    public AmqpLink? Link { get; private set; }

    /// <summary>Whether the peer would send, and we receive.</summary>
    public bool PeerIsSender => Attach.Role == LinkRole.Sender;

    /// <summary>Accepts a link on which the peer sends.</summary>
    /// <exception cref="AmqpException">The peer has gone, or the session has no free handle.</exception>
    public AmqpReceiver AcceptReceiver(LinkAnswer answer, uint initialCredit)
    {
        lock (Connection.Gate)
        {
            // A sender treats a missing limit as none, or as a limit below zero.
            var attach = GetAnswer(answer) with
            {
                MaxMessageSize = answer.MaxMessageSize ?? Connection.Settings.MaxMessageSize,
            };
            AmqpReceiver receiver = new(Session, attach, answer.ToleratedMessageSize);
            Accept(receiver);
            if (initialCredit > 0)
            {
                receiver.GrantLocked(initialCredit);
            }

            return receiver;
        }
    }

    /// <summary>Accepts a link on which the peer receives. Credit that followed the attach is available immediately.</summary>
    /// <exception cref="AmqpException">The peer has gone, or the session has no free handle.</exception>
    public AmqpSender AcceptSender(LinkAnswer answer)
    {
        DeferredCalls calls = new();
        AmqpSender sender;
        lock (Connection.Gate)
        {
            sender = new AmqpSender(Session, GetAnswer(answer) with { InitialDeliveryCount = 0 });
            Accept(sender);
            if (_flow is { } flow)
            {
                // A drain waits until the link has a listener.
                sender.TakeFlow(flow with { Drain = false }, calls);
                if (flow.Drain)
                {
                    sender.TakeDrain();
                }
            }
        }

        calls.Run();
        return sender;
    }

    /// <summary>Refuses: an attach without source and target, then a closing detach with the error.</summary>
    public void Refuse(AmqpError error)
    {
        if (RefuseIfOpen(error))
        {
            Notify(ListenerEvent.LinkRefused, error, exception: null);
        }
    }

    // False when the request was answered, or the peer has withdrawn it.
    private bool RefuseIfOpen(AmqpError error)
    {
        lock (Connection.Gate)
        {
            if (_answered || _gone)
            {
                return false;
            }

            _answered = true;
            Session.Withdraw(this);
            if (!Session.HasFreeHandle)
            {
                // The peer has announced fewer handles than it uses, so there is none for the answer.
                Session.Abandon(ErrorCondition.ResourceLimitExceeded, "The peer allows no handle for the answer.");
                return true;
            }

            RefusedLink link = new(Session, GetAnswer(new LinkAnswer()) with { Source = null, Target = null, InitialDeliveryCount = PeerIsSender ? null : 0 });
            Connection.CountRefusal();
            Session.Register(link, Attach.Handle);
            Connection.Send(Session.LocalChannel, link.LocalAttach);
            link.Answer(Attach);
            link.SendDetach(error);
            return true;
        }
    }

    private void Notify(ListenerEvent what, AmqpError? error, Exception? exception)
    {
        if (Connection.Settings.Notice is { } notice)
        {
            var node = PeerIsSender ? Attach.Target?.Address : Attach.Source?.Address;
            notice(
                new ListenerNotice(what, Connection.RemoteEndPoint)
                {
                    Link = $"{node} ({Attach.Name})",
                    Error = error,
                    Exception = exception,
                }
            );
        }
    }

    internal void Start(ILinkAcceptor acceptor) => Connection.Serve(() => RunAsync(acceptor));

    internal void TakeFlow(in FlowHead flow) => _flow = flow;

    // The peer detached before it was answered. Its detach is answered by a detach.
    internal void TakeDetach()
    {
        _gone = true;
        if (!Session.HasFreeHandle)
        {
            // As for a refusal: there is no handle for the answer.
            Session.Abandon(ErrorCondition.ResourceLimitExceeded, "The peer allows no handle for the answer.");
            return;
        }

        var answer = GetAnswer(new LinkAnswer()) with { Source = null, Target = null, InitialDeliveryCount = PeerIsSender ? null : 0 };
        Connection.Send(Session.LocalChannel, answer);
        Connection.Send(Session.LocalChannel, new Detach { Handle = answer.Handle, Closed = true });
    }

    private async Task RunAsync(ILinkAcceptor acceptor)
    {
        try
        {
            await acceptor.AcceptAsync(this, Connection.Ended).ConfigureAwait(false);
            RefuseOrAbort(new AmqpError(ErrorCondition.InternalError, "The request was not answered."));
        }
        catch (AmqpException exception)
        {
            RefuseOrAbort(exception.Error);
        }
        catch (Exception exception)
        {
            // The text may be confidential, so the peer does not receive it.
            Notify(ListenerEvent.LinkFailed, error: null, exception);
            RefuseOrAbort(new AmqpError(ErrorCondition.InternalError, "The request could not be answered."));
        }
    }

    // The link's name is so long that the answer does not fit in the peer's frames. No answer is possible.
    private void RefuseOrAbort(AmqpError error)
    {
        try
        {
            Refuse(error);
        }
        catch (AmqpException exception)
        {
            Connection.Abort(exception.Error);
        }
    }

    private Attach GetAnswer(LinkAnswer answer) =>
        new()
        {
            Name = Attach.Name,
            Handle = Session.FreeHandle(),
            Role = PeerIsSender ? LinkRole.Receiver : LinkRole.Sender,
            SndSettleMode = Attach.SndSettleMode,
            RcvSettleMode = Attach.RcvSettleMode,
            Source = answer.Source ?? Attach.Source,
            Target = answer.Target ?? Attach.Target,
            MaxMessageSize = answer.MaxMessageSize,
            Properties = answer.Properties ?? Attach.Properties,
            OfferedCapabilities = answer.OfferedCapabilities,
        };

    private void Accept(AmqpLink link)
    {
        Session.ThrowIfOver();
        if (_answered || _gone)
        {
            throw new AmqpException(AmqpErrorScope.Link, new AmqpError(ErrorCondition.DetachForced, $"Link '{Attach.Name}' is not waiting for an answer."));
        }

        _answered = true;
        Session.Withdraw(this);
        Session.Register(link, Attach.Handle);
        Connection.Send(Session.LocalChannel, link.LocalAttach);
        link.Answer(Attach);
        Link = link;
    }

    // Lives from the refusal until the peer's detach, so that its handles stay known.
    private sealed class RefusedLink(AmqpSession session, Attach localAttach) : AmqpLink(session, localAttach)
    {
        internal override void TakeFlow(in FlowHead flow, DeferredCalls calls) { }

        internal override void TakeTransfer(in TransferHead transfer, ReadOnlyMemory<byte> payload, DeferredCalls calls) { }

        private protected override void OnAttached(Attach remote) { }

        private protected override void OnLost(AmqpException failure, DeferredCalls calls) { }
    }
}
