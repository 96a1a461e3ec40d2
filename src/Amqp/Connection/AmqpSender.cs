using System.Buffers;
using System.Buffers.Binary;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A link that sends. Transfers are sent in the order of their calls, as the peer's credit and windows allow.</summary>
public sealed partial class AmqpSender : AmqpLink
{
    // Guarded by the connection's lock.
    private readonly SendQueue _waiting = new();
    private uint _deliveryCount;
    private uint _nextTag;

    internal AmqpSender(AmqpSession session, Attach localAttach)
        : base(session, localAttach) => _deliveryCount = localAttach.InitialDeliveryCount ?? 0;

    /// <summary>
    /// Raised after each flow for this link, on the read loop and outside of locks. Must not block. A listener answers drains by <see cref="CompleteDrain"/>.
    /// Without one they are answered as soon as no transfer waits.
    /// </summary>
    public event Action? CreditChanged;

    /// <summary>Called for each outcome, on the read loop and outside of locks. Must not block.</summary>
    public Action<OutgoingDelivery, DeliveryState?, bool>? DispositionReceived { get; set; }

    /// <summary>
    /// Called after a message was written to the stream completely, before its answer is read. On the write loop and outside of locks. Must not block. Null,
    /// the default, costs nothing.
    /// </summary>
    public Action? TransferWritten { get; set; }

    /// <summary>What could be sent now without waiting, by credit, window and room in the write queue.</summary>
    public SendCapacity Room
    {
        get
        {
            lock (Gate)
            {
                return _waiting.Count > 0 || !IsOpen ? default : Session.RoomFor(_credit);
            }
        }
    }

    /// <summary>The largest message that the peer takes, in bytes. 0 for no limit.</summary>
    public ulong MaxMessageSize => Remote?.MaxMessageSize ?? 0;

    /// <summary>
    /// Sends one message as one delivery. Waits for credit, for the session's window and for room in the write queue. Completes when its last frame was
    /// encoded, which copies the bytes.
    /// </summary>
    /// <exception cref="AmqpException">The message is too large for the peer, or the link, session or connection has ended.</exception>
    public ValueTask<OutgoingDelivery> TransferAsync(ReadOnlySequence<byte> payload, OutgoingTransfer transfer, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<OutgoingDelivery>(cancellationToken);
        }

        SendOperation operation;
        using (Session.Connection.EnterWriting())
        {
            if (Refusal(payload.Length) is { } refusal)
            {
                return ValueTask.FromException<OutgoingDelivery>(refusal);
            }

            var now = Now;
            NoteTraffic(now);
            OutgoingDelivery delivery = new(this, transfer.Tag.IsEmpty ? NextTag() : transfer.Tag, now);
            operation = Rent();
            operation.BeginTransfer(payload, transfer, delivery);
            if (TryWriteOrWait(operation))
            {
                Keep(operation);
                return new ValueTask<OutgoingDelivery>(delivery);
            }
        }

        return operation.HandOver(cancellationToken);
    }

    /// <summary>Sends one message unsettled and completes with the peer's outcome. Our side settles as well.</summary>
    /// <exception cref="AmqpException">
    /// The message is too large, no outcome came within the operation's time-out (it may have been stored), or the link was lost.
    /// </exception>
    public ValueTask<DeliveryState> SendAsync(ReadOnlyMemory<byte> payload, uint messageFormat, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<DeliveryState>(cancellationToken);
        }

        SendOperation operation;
        using (Session.Connection.EnterWriting())
        {
            if (Refusal(payload.Length) is { } refusal)
            {
                return ValueTask.FromException<DeliveryState>(refusal);
            }

            operation = Rent();
            var now = Now;
            NoteTraffic(now);
            operation.BeginSend(new ReadOnlySequence<byte>(payload), messageFormat, ++_nextTag, now);
            TryWriteOrWait(operation);
        }

        return operation.Outcome(cancellationToken);
    }

    internal override void TakeFlow(in FlowHead flow, DeferredCalls calls)
    {
        if (flow.LinkCredit is { } credit)
        {
            var wasEmpty = _credit == 0;
            _credit = SerialNumber.Allowance(flow.DeliveryCount ?? LocalAttach.InitialDeliveryCount ?? 0, credit, _deliveryCount);
            _grantsWhenEmpty += wasEmpty && _credit > 0 ? 1 : 0;
            _drain = flow.Drain;
        }

        Pump();
        if (_credit > 0)
        {
            foreach (var waiter in _creditWaiters)
            {
                waiter.TrySetResult();
            }

            _creditWaiters.Clear();
        }

        if (CreditChanged is { } changed)
        {
            calls.Add(changed);
            GiveBackIfHeldUp();
        }
        else if (_drain && _waiting.Count == 0)
        {
            CompleteDrainLocked();
        }

        if (flow.Echo && IsOpen)
        {
            SendFlow(drain: false);
        }
    }

    internal override void TakeTransfer(in TransferHead transfer, ReadOnlyMemory<byte> payload, DeferredCalls calls) =>
        Session.Violate(ErrorCondition.NotAllowed, $"A transfer on link '{Name}', whose sender is here.", calls);

    /// <summary>Sends waiting messages as far as credit, window and room allow.</summary>
    internal void Pump()
    {
        Session.Connection.AssertLocked();
        while (_waiting.First is { } first && TryWrite(first))
        {
            Remove(first);
            first.HandedOver();
        }
    }

    private protected override void OnAttached(Attach remote) { }

    private protected override void OnLost(AmqpException failure, DeferredCalls calls)
    {
        _credit = 0;
        if (_waiting.Count > 0)
        {
            Session.WaitingSenders--;
        }

        while (_waiting.First is { } operation)
        {
            _waiting.Remove(operation);
            var own = failure.Again();
            operation.Delivery.Fail(own);
            operation.Fail(own);
        }

        foreach (var waiter in _creditWaiters)
        {
            waiter.TrySetException(failure.Again());
        }

        _creditWaiters.Clear();
        if (CreditChanged is { } changed)
        {
            calls.Add(changed);
        }
    }

    private long Now => Session.Connection.Settings.TimeProvider.GetTimestamp();

    // Why a message cannot be sent. Null when it can.
    private AmqpException? Refusal(long length)
    {
        try
        {
            ThrowIfOver();
        }
        catch (AmqpException over)
        {
            return over;
        }

        return MaxMessageSize is > 0 and { } limit && (ulong)length > limit
            ? new AmqpException(
                AmqpErrorScope.Delivery,
                new AmqpError(ErrorCondition.MessageSizeExceeded, $"A message of {length} bytes exceeds the limit of {limit}.")
            )
            : null;
    }

    private bool TryWriteOrWait(SendOperation operation)
    {
        Session.Connection.AssertLocked();
        if (_waiting.Count == 0)
        {
            if (!operation.Transfer.Settled && Session.Connection.UnderWay == 0)
            {
                Session.Connection.Output.BeginAlone();
            }

            if (TryWrite(operation))
            {
                return true;
            }

            Session.WaitingSenders++;
        }

        _waiting.Add(operation);
        GiveBackIfHeldUp();
        return false;
    }

    // True when the whole delivery was sent. Otherwise as much was sent as is allowed now.
    private bool TryWrite(SendOperation operation)
    {
        if (!IsOpen || (!operation.Started && (_credit == 0 || (!operation.Transfer.Settled && !Session.MayStart))))
        {
            return false;
        }

        var output = Session.Connection.Output;
        while (Session.HasRoom)
        {
            if (operation.Aborted)
            {
                Session.Connection.Send(
                    Session.LocalChannel,
                    new Transfer
                    {
                        Handle = LocalAttach.Handle,
                        DeliveryId = operation.Delivery.DeliveryId,
                        Aborted = true,
                    }
                );
                Session.CountOutgoingFrame();
                Session.Abort(operation.Delivery);
                return true;
            }

            var head = operation.Started ? new TransferHead { Handle = LocalAttach.Handle } : Start(operation);
            var taken = FrameWriter.WriteTransfer(output.Buffer, Session.LocalChannel, head, operation.Rest, output.MaxFrameSize);
            output.Commit();
            Session.CountOutgoingFrame();
            operation.Rest = operation.Rest.Slice(taken);
            if (operation.Rest.IsEmpty)
            {
                if (TransferWritten is { } written)
                {
                    output.WhenWritten(written);
                }

                if (operation.Transfer.Settled)
                {
                    operation.Delivery.RemotelySettled = true;
                    operation.Delivery.Answer(Accepted.Instance);
                }

                return true;
            }
        }

        return false;
    }

    private TransferHead Start(SendOperation operation)
    {
        operation.Started = true;
        _credit--;
        _deliveryCount++;
        return new TransferHead
        {
            Handle = LocalAttach.Handle,
            DeliveryId = Session.StartDelivery(operation.Delivery, operation.Transfer.Settled),
            DeliveryTag = operation.Delivery.Tag,
            MessageFormat = operation.Transfer.MessageFormat,
            Settled = operation.Transfer.Settled,
            Batchable = operation.Transfer.Batchable,
        };
    }

    private void Remove(SendOperation operation)
    {
        _waiting.Remove(operation);
        if (_waiting.Count == 0)
        {
            Session.WaitingSenders--;
        }
    }

    private void SendFlow(bool drain) =>
        Session.Connection.SendFlow(
            Session.LocalChannel,
            Session.NewFlow() with
            {
                Handle = LocalAttach.Handle,
                DeliveryCount = _deliveryCount,
                LinkCredit = _credit,
                Available = (uint)_waiting.Count,
                Drain = drain,
            }
        );

    private byte[] NextTag()
    {
        var tag = new byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(tag, ++_nextTag);
        return tag;
    }
}
