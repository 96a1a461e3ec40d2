using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A link that receives. Nothing arrives without credit, so credit limits the queue.</summary>
public sealed partial class AmqpReceiver : AmqpLink
{
    private readonly long _maxMessageSize;

    // Guarded by the connection's lock.
    private readonly Queue<IncomingDelivery> _queue = [];
    private uint _deliveryCount;
    private uint _credit;
    private uint _window;
    private PartialDelivery? _partial;
    private TaskCompletionSource? _drained;

    internal AmqpReceiver(AmqpSession session, Attach localAttach, ulong? toleratedMessageSize = null)
        : base(session, localAttach) =>
        _maxMessageSize = (toleratedMessageSize ?? localAttach.MaxMessageSize) is > 0 and { } limit
            ? (long)Math.Min(limit, long.MaxValue)
            : (long)session.Connection.Settings.MaxMessageSize;

    /// <summary>
    /// Called for each message that no caller waits for, after it was queued, on the read loop and outside of locks. Must not block. Null, the default, costs
    /// nothing.
    /// </summary>
    public Action<IncomingDelivery>? MessageQueued { get; set; }

    /// <summary>How many messages the peer may still send.</summary>
    public uint Credit
    {
        get
        {
            lock (Gate)
            {
                return _credit;
            }
        }
    }

    /// <summary>Grants credit for more messages.</summary>
    public void AddCredit(uint credit)
    {
        lock (Gate)
        {
            if (IsOpen)
            {
                GrantLocked(credit);
            }
        }
    }

    /// <summary>
    /// Grants the missing credit until credit and queue together are <paramref name="held"/> messages. Does nothing if they already are. The queue is
    /// subtracted in the same step, so that no message on its way is asked for twice.
    /// </summary>
    public void TopUpCredit(uint held)
    {
        lock (Gate)
        {
            var already = (ulong)_credit + (ulong)_queue.Count;
            if (IsOpen && already < held)
            {
                GrantLocked((uint)(held - already));
            }
        }
    }

    /// <summary>Keeps credit and queue together at <paramref name="window"/> messages. Credit is granted again when half is used. 0 stops that.</summary>
    public void SetPrefetch(uint window)
    {
        lock (Gate)
        {
            _window = window;
            Replenish();
        }
    }

    /// <summary>Settles with an outcome, without waiting.</summary>
    /// <param name="delivery">The delivery.</param>
    /// <param name="state">The outcome.</param>
    /// <param name="written">
    /// Called after the transport has received the outcome. If the connection ends before that, the peer has not received the outcome. The call comes from
    /// the connection's write loop: it must be short and must not throw.
    /// </param>
    /// <returns>False when nothing was sent, nor will be: the delivery came settled, or link, session or connection have ended.</returns>
    public bool Settle(IncomingDelivery delivery, DeliveryState state, Action? written = null) =>
        Session.SettleIncoming(delivery, state, settled: true, written);

    /// <summary>
    /// Sends an outcome and lets the sender settle (receiver settle mode "second"). Completes with the sender's state. On a link of mode "first" it settles
    /// immediately.
    /// </summary>
    /// <exception cref="AmqpException">No answer within the operation's time-out, or the link was lost.</exception>
    public async Task<DeliveryState?> SettleAsync(IncomingDelivery delivery, DeliveryState state, CancellationToken cancellationToken)
    {
        if (delivery.Settled || LocalAttach.RcvSettleMode is not ReceiverSettleMode.Second)
        {
            Settle(delivery, state);
            return state;
        }

        lock (Gate)
        {
            ThrowIfOver();
            delivery.Settlement ??= new TaskCompletionSource<DeliveryState?>(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        if (!Session.SettleIncoming(delivery, state, settled: false))
        {
            // Nothing was sent, and no answer will come.
            lock (Gate)
            {
                ThrowIfOver();
            }

            throw new AmqpException(AmqpErrorScope.Link, new AmqpError(ErrorCondition.DetachForced, $"Link '{Name}' is being detached."));
        }

        return await Session.Connection.AnsweredAsync(delivery.Settlement.Task, $"settlement on '{Name}'", cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Asks the peer to send what it has or to return the credit. Completes after the peer has done so. Messages that arrived are queued.</summary>
    /// <exception cref="AmqpException">No answer within the operation's time-out, or the link was lost.</exception>
    public async Task DrainAsync(CancellationToken cancellationToken)
    {
        TaskCompletionSource drained;
        lock (Gate)
        {
            ThrowIfOver();
            _window = 0;
            if (_credit == 0)
            {
                return;
            }

            if (_drained is null)
            {
                _drained = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                SendFlow(drain: true);
            }

            drained = _drained;
        }

        try
        {
            await drained
                .Task.WaitAsync(Session.Connection.Settings.OperationTimeout, Session.Connection.Settings.TimeProvider, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            throw Session.Connection.TimedOut($"drain of '{Name}'");
        }
    }

    internal void GrantLocked(uint credit)
    {
        Session.Connection.AssertLocked();
        _credit = (uint)Math.Min((ulong)_credit + credit, uint.MaxValue);
        SendFlow(drain: _drained is not null);
    }

    internal override void TakeFlow(in FlowHead flow, DeferredCalls calls)
    {
        if (flow.Drain)
        {
            // An answer may have crossed credit that was granted after its drain had ended. The peer still has that credit.
            var count = flow.DeliveryCount ?? (_deliveryCount + _credit);
            _credit = SerialNumber.Allowance(_deliveryCount, _credit, count);
            _deliveryCount = count;
            EndDrainWithoutCredit();
        }

        if (flow.Echo && IsOpen)
        {
            SendFlow(drain: _drained is not null);
        }
    }

    internal override void TakeTransfer(in TransferHead transfer, ReadOnlyMemory<byte> payload, DeferredCalls calls)
    {
        if (!IsOpen)
        {
            return;
        }

        NoteTraffic(Session.Connection.LastRead);
        if (transfer.Aborted)
        {
            TakeAbort();
            return;
        }

        var isFirst = _partial is null;
        if (isFirst ? !TryBegin(transfer, calls) : !Continues(transfer, calls))
        {
            return;
        }

        if ((_partial?.Length ?? 0) + payload.Length > _maxMessageSize)
        {
            _partial = null;
            SendDetach(new AmqpError(ErrorCondition.MessageSizeExceeded, $"A message on link '{Name}' exceeds the limit of {_maxMessageSize} bytes."));
            return;
        }

        if (isFirst && !transfer.More)
        {
            // Nearly every message fits in one frame, whose bytes are already a copy.
            TakeWhole(NewDelivery(transfer, Session.Connection.LastRead, payload), calls);
            return;
        }

        _partial ??= new PartialDelivery(transfer, Session.Connection.LastRead);
        _partial.Append(transfer, payload);
        if (!transfer.More)
        {
            var whole = NewDelivery(_partial.Head, _partial.BeganAt, _partial.Payload);
            _partial = null;
            TakeWhole(whole, calls);
        }
    }

    private protected override void OnAttached(Attach remote) => _deliveryCount = unchecked((remote.InitialDeliveryCount ?? 0) + _deliveryCount);

    private protected override void OnLost(AmqpException failure, DeferredCalls calls)
    {
        foreach (var operation in _waiting)
        {
            operation.Fail(failure.Again());
        }

        _waiting.Clear();
        if (_drained?.TrySetException(failure) == true)
        {
            _ = _drained.Task.Exception;
        }

        _partial = null;
    }

    private bool TryBegin(in TransferHead transfer, DeferredCalls calls)
    {
        if (_credit == 0)
        {
            SendDetach(new AmqpError(ErrorCondition.TransferLimitExceeded, $"A transfer on link '{Name}' without credit."));
            return false;
        }

        if (transfer.DeliveryId is null)
        {
            Session.Violate(ErrorCondition.InvalidField, "The first transfer of a delivery has no delivery-id.", calls);
            return false;
        }

        _credit--;
        _deliveryCount++;
        return true;
    }

    private bool Continues(in TransferHead transfer, DeferredCalls calls)
    {
        if (transfer.DeliveryId is not { } id || id == _partial!.Head.DeliveryId)
        {
            return true;
        }

        Session.Violate(ErrorCondition.InvalidField, $"Delivery {id} came before delivery {_partial.Head.DeliveryId} of the same link was whole.", calls);
        return false;
    }

    private IncomingDelivery NewDelivery(in TransferHead head, long arrivedAt, ReadOnlyMemory<byte> payload) =>
        new(this, arrivedAt, head.DeliveryId!.Value, head.DeliveryTag ?? default, head.MessageFormat ?? 0, head.Settled, payload) { State = head.State };

    private void TakeWhole(IncomingDelivery delivery, DeferredCalls calls)
    {
        if (!delivery.Settled)
        {
            Session.Track(delivery, calls);
            if (Lost is not null)
            {
                // The session refused it, and has ended.
                return;
            }
        }

        if (_waiting is [var first, ..])
        {
            _waiting.RemoveAt(0);
            first.Complete(delivery);
            Replenish();
        }
        else
        {
            _queue.Enqueue(delivery);
            if (MessageQueued is { } queued)
            {
                Announce(queued, delivery, calls);
            }
        }

        EndDrainWithoutCredit();
    }

    // A separate method, so that only receivers with a callback pay for the closure.
    private static void Announce(Action<IncomingDelivery> queued, IncomingDelivery delivery, DeferredCalls calls) => calls.Add(() => queued(delivery));

    // The credit of an aborted delivery yields no message. It is granted again: otherwise a waiting caller could wait for ever.
    private void TakeAbort()
    {
        if (_partial is null)
        {
            return;
        }

        _partial = null;
        if (_drained is null)
        {
            GrantLocked(1);
        }

        EndDrainWithoutCredit();
    }

    // Everything that was asked for has arrived: the drain has ended whether or not a flow follows.
    private void EndDrainWithoutCredit()
    {
        if (_credit == 0)
        {
            EndDrain();
        }
    }

    private void EndDrain()
    {
        if (_drained is not null)
        {
            _drained.TrySetResult();
            _drained = null;
            Replenish();
        }
    }

    private void Replenish()
    {
        Session.Connection.AssertLocked();
        var held = (ulong)_credit + (ulong)_queue.Count;
        if (IsOpen && _drained is null && held <= _window / 2 && _window > 0)
        {
            GrantLocked((uint)(_window - held));
        }
    }

    // Before the peer's attach its initial count is unknown and must be left out.
    private void SendFlow(bool drain) =>
        Session.Connection.SendFlow(
            Session.LocalChannel,
            Session.NewFlow() with
            {
                Handle = LocalAttach.Handle,
                DeliveryCount = Remote is null ? null : _deliveryCount,
                LinkCredit = _credit,
                Drain = drain,
            }
        );

    /// <summary>A delivery of which frames are still to come.</summary>
    private sealed class PartialDelivery(TransferHead first, long beganAt)
    {
        private readonly FrameBuffer _all = new();

        /// <summary>The fields of the first frame, with settlement and state of any frame.</summary>
        public TransferHead Head { get; private set; } = first;

        /// <summary>When the first frame was read.</summary>
        public long BeganAt { get; } = beganAt;

        public long Length => _all.Length;

        public ReadOnlyMemory<byte> Payload => _all.Written;

        public void Append(in TransferHead transfer, ReadOnlyMemory<byte> part)
        {
            Head = Head with { Settled = Head.Settled | transfer.Settled, State = Head.State ?? transfer.State };
            part.Span.CopyTo(_all.GetSpan(part.Length));
            _all.Advance(part.Length);
        }
    }
}
