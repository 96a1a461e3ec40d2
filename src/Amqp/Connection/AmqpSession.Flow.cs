using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

// Windows, deliveries and dispositions of a session. All under the connection's lock.
public sealed partial class AmqpSession
{
    private readonly Dictionary<uint, OutgoingDelivery> _outgoing = [];
    private readonly Dictionary<uint, IncomingDelivery> _incoming = [];
    private uint _nextOutgoingId;
    private uint _nextDeliveryId;
    private uint _remoteIncomingWindow;
    private uint _nextIncomingId;
    private uint _incomingWindow;
    private bool _announces;
    private uint _remoteHandleMax = uint.MaxValue;

    /// <summary>How many links have transfers that wait. Without any there is nothing to send.</summary>
    internal int WaitingSenders { get; set; }

    /// <summary>Whether one more transfer frame may go out now.</summary>
    internal bool HasRoom => _remoteIncomingWindow > 0 && !Connection.Output.IsFull && !_endSent && Connection.MaySend;

    /// <summary>Whether another unsettled delivery may be started.</summary>
    internal bool MayStart => _outgoing.Count < _options.UnsettledLimit;

    /// <summary>How many deliveries are unsettled, in both directions. Under the lock.</summary>
    internal int UnderWay => _outgoing.Count + _incoming.Count;

    /// <summary>What a link with this credit can send without waiting. Call under the lock.</summary>
    internal SendCapacity RoomFor(uint credit) =>
        HasRoom
            ? new SendCapacity(
                Math.Min(credit, Math.Max(0, _options.UnsettledLimit - _outgoing.Count)),
                _remoteIncomingWindow,
                Connection.Output.Room,
                Connection.Output.PayloadSize
            )
            : default;

    internal void SettleOutgoing(OutgoingDelivery delivery, DeliveryState state)
    {
        lock (Connection.Gate)
        {
            if (!_outgoing.Remove(delivery.DeliveryId, out var found))
            {
                return;
            }

            if (found != delivery)
            {
                _outgoing.Add(delivery.DeliveryId, found);
                return;
            }

            delivery.IsSettled = true;
            SendDisposition(LinkRole.Sender, delivery.DeliveryId, settled: true, state);
            Pump();
        }
    }

    internal bool SettleIncoming(IncomingDelivery delivery, DeliveryState state, bool settled, Action? written = null)
    {
        using (Connection.EnterWriting())
        {
            // Closing a link forgets its unsettled deliveries: an outcome sent after the detach would have no receiver.
            if (_over || _endSent || !Connection.MaySend || delivery.Settled || !delivery.Receiver.IsOpen)
            {
                return false;
            }

            if (settled)
            {
                if (!_incoming.Remove(delivery.DeliveryId))
                {
                    return false;
                }
            }
            else
            {
                _incoming[delivery.DeliveryId] = delivery;
            }

            if (Connection.UnderWay == 0)
            {
                Connection.Output.BeginAlone();
            }

            SendDisposition(LinkRole.Receiver, delivery.DeliveryId, settled, state);
            if (written is not null)
            {
                Connection.Output.WhenWritten(written);
            }

            return true;
        }
    }

    /// <summary>Forgets a delivery that was aborted.</summary>
    internal void Abort(OutgoingDelivery delivery) => _outgoing.Remove(delivery.DeliveryId);

    /// <summary>Keeps a delivery that came unsettled until either side settles it.</summary>
    internal void Track(IncomingDelivery delivery, DeferredCalls calls)
    {
        Connection.AssertLocked();
        // A client grants credit as it sees fit. A listener must not let a peer accumulate deliveries that it never settles.
        if (Connection.Acceptor is not null && _incoming.Count >= _options.UnsettledLimit)
        {
            Violate(ErrorCondition.ResourceLimitExceeded, $"{_incoming.Count} deliveries of the session are unsettled.", calls);
        }
        else if (!_incoming.TryAdd(delivery.DeliveryId, delivery))
        {
            Violate(ErrorCondition.InvalidField, $"The delivery-id {delivery.DeliveryId} is in use.", calls);
        }
    }

    /// <summary>Announces the incoming window again when half of it is used.</summary>
    internal void AnnounceWindow()
    {
        Connection.AssertLocked();
        _announces = false;
        if (!_endSent && !_over)
        {
            _incomingWindow = _options.IncomingWindow;
            Connection.SendFlow(LocalChannel, NewFlow());
        }
    }

    internal uint StartDelivery(OutgoingDelivery delivery, bool settled)
    {
        Connection.AssertLocked();
        var id = _nextDeliveryId++;
        delivery.DeliveryId = id;
        if (!settled)
        {
            _outgoing.Add(id, delivery);
        }

        return id;
    }

    internal void CountOutgoingFrame()
    {
        Connection.AssertLocked();
        _nextOutgoingId++;
        _remoteIncomingWindow--;
    }

    internal FlowHead NewFlow() =>
        new()
        {
            NextIncomingId = _nextIncomingId,
            IncomingWindow = _incomingWindow,
            NextOutgoingId = _nextOutgoingId,
            OutgoingWindow = _options.OutgoingWindow,
        };

    /// <summary>Lets links continue that wait for window, room or unsettled deliveries.</summary>
    internal void Pump()
    {
        Connection.AssertLocked();
        if (_over || WaitingSenders == 0)
        {
            return;
        }

        foreach (var link in _byLocalHandle.Values)
        {
            if (link is AmqpSender sender)
            {
                sender.Pump();
            }
        }
    }

    /// <summary>Faults deliveries whose outcome has been missing for the operation's time-out.</summary>
    internal void FailUnanswered()
    {
        lock (Connection.Gate)
        {
            List<OutgoingDelivery>? late = null;
            foreach (var delivery in _outgoing.Values)
            {
                if (delivery.SettlesItself && Connection.Settings.TimeProvider.GetElapsedTime(delivery.Started) >= Connection.Settings.OperationTimeout)
                {
                    (late ??= []).Add(delivery);
                }
            }

            foreach (var delivery in late ?? [])
            {
                _outgoing.Remove(delivery.DeliveryId);
                delivery.Fail(Connection.TimedOut($"the delivery on '{delivery.Sender.Name}'"));
            }

            if (WaitingSenders > 0)
            {
                foreach (var link in _byLocalHandle.Values)
                {
                    (link as AmqpSender)?.FailLate();
                }
            }
        }
    }

    private void TakeFlow(in FlowHead flow, DeferredCalls calls)
    {
        Connection.AssertLocked();
        _remoteIncomingWindow = SerialNumber.Allowance(flow.NextIncomingId ?? 0, flow.IncomingWindow, _nextOutgoingId);
        var echo = flow.Echo;
        if (flow.Handle is { } handle)
        {
            if (_byRemoteHandle.TryGetValue(handle, out var link))
            {
                link.TakeFlow(flow, calls);
                echo = false;
            }
            else if (_asked.TryGetValue(handle, out var request))
            {
                request.TakeFlow(flow);
                echo = false;
            }
            else
            {
                Violate(ErrorCondition.UnattachedHandle, $"Handle {handle} is not attached.", calls);
                return;
            }
        }

        if (echo)
        {
            Connection.SendFlow(LocalChannel, NewFlow());
        }

        Pump();
    }

    private void TakeTransfer(in TransferHead transfer, ReadOnlyMemory<byte> payload, DeferredCalls calls)
    {
        Connection.AssertLocked();
        if (_incomingWindow == 0)
        {
            Violate(ErrorCondition.WindowViolation, "A transfer beyond the incoming window.", calls);
            return;
        }

        _nextIncomingId++;
        _incomingWindow--;
        if (_byRemoteHandle.TryGetValue(transfer.Handle, out var link))
        {
            link.TakeTransfer(transfer, payload, calls);
        }
        else if (!_asked.ContainsKey(transfer.Handle))
        {
            Violate(ErrorCondition.UnattachedHandle, $"Handle {transfer.Handle} is not attached.", calls);
            return;
        }
        else
        {
            Violate(ErrorCondition.TransferLimitExceeded, $"A transfer on handle {transfer.Handle}, which has no credit yet.", calls);
            return;
        }

        if (_incomingWindow <= _options.IncomingWindow / 2 && !_announces)
        {
            _announces = true;
            Connection.AnnounceWindowOf(this);
        }
    }

    private void TakeDisposition(in DispositionHead disposition, DeferredCalls calls)
    {
        Connection.AssertLocked();
        if (disposition.Role == LinkRole.Receiver)
        {
            foreach (var id in new DeliveryIds(disposition.First, disposition.Last, _outgoing.Keys))
            {
                TakeOutcome(id, disposition, calls);
            }

            Pump();
        }
        else if (disposition.Settled)
        {
            foreach (var id in new DeliveryIds(disposition.First, disposition.Last, _incoming.Keys))
            {
                if (_incoming.Remove(id, out var delivery))
                {
                    delivery.Settlement?.TrySetResult(disposition.State);
                }
            }
        }
    }

    private void TakeOutcome(uint id, in DispositionHead disposition, DeferredCalls calls)
    {
        if (!_outgoing.TryGetValue(id, out var delivery))
        {
            return;
        }

        delivery.RemotelySettled = disposition.Settled;
        if (disposition.Settled || (delivery.SettlesItself && IsOutcome(disposition.State)))
        {
            _outgoing.Remove(id);
            if (!disposition.Settled)
            {
                SendDisposition(LinkRole.Sender, id, settled: true, disposition.State);
            }
        }

        if (disposition.Settled || IsOutcome(disposition.State))
        {
            delivery.IsSettled |= disposition.Settled || delivery.SettlesItself;
            delivery.Sender.NoteTraffic(Connection.LastRead);
            if (delivery.Sender.DispositionReceived is { } received)
            {
                delivery.Share();
                Notify(received, delivery, disposition.State, disposition.Settled, calls);
            }

            delivery.Answer(disposition.State);
        }
    }

    // A separate method, so that only links with a callback pay for the closure.
    private static void Notify(
        Action<OutgoingDelivery, DeliveryState?, bool> received,
        OutgoingDelivery delivery,
        DeliveryState? state,
        bool settled,
        DeferredCalls calls
    ) => calls.Add(() => received(delivery, state, settled));

    private static bool IsOutcome(DeliveryState? state) => state is not null and not Received;

    private void SendDisposition(LinkRole role, uint id, bool settled, DeliveryState? state) =>
        Connection.SendDisposition(
            LocalChannel,
            new DispositionHead
            {
                Role = role,
                First = id,
                Settled = settled,
                State = state,
            }
        );

    private void FailDeliveries(AmqpException failure)
    {
        Connection.AssertLocked();
        foreach (var delivery in _outgoing.Values)
        {
            delivery.Fail(failure.Again());
        }

        foreach (var delivery in _incoming.Values)
        {
            if (delivery.Settlement?.TrySetException(failure) == true)
            {
                _ = delivery.Settlement.Task.Exception;
            }
        }

        _outgoing.Clear();
        _incoming.Clear();
    }

    /// <summary>A link is gone: its deliveries will have no outcome.</summary>
    internal void FailDeliveriesOf(AmqpLink link, AmqpException failure)
    {
        Connection.AssertLocked();
        foreach (var delivery in _outgoing.Values.Where(delivery => delivery.Sender == link).ToArray())
        {
            _outgoing.Remove(delivery.DeliveryId);
            delivery.Fail(failure.Again());
        }

        foreach (var delivery in _incoming.Values.Where(delivery => delivery.Receiver == link).ToArray())
        {
            _incoming.Remove(delivery.DeliveryId);
            if (delivery.Settlement?.TrySetException(failure) == true)
            {
                _ = delivery.Settlement.Task.Exception;
            }
        }
    }
}
