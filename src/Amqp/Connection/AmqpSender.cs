using System.Buffers;
using System.Buffers.Binary;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>A link on which we send. Transfers go out in the order of their calls, as the peer's credit and windows allow.</summary>
public sealed partial class AmqpSender : AmqpLink
{
    // Guarded by the connection's lock.
    private readonly LinkedList<WaitingTransfer> _waiting = [];
    private readonly List<TaskCompletionSource> _creditWaiters = [];
    private uint _deliveryCount;
    private uint _credit;
    private uint _nextTag;

    internal AmqpSender(AmqpSession session, Attach localAttach)
        : base(session, localAttach) => _deliveryCount = localAttach.InitialDeliveryCount ?? 0;

    /// <summary>
    /// Raised after each flow for this link, on the read loop and outside of locks; must not block. Whoever listens answers
    /// drains by <see cref="CompleteDrain"/>; without a listener they are answered as soon as no transfer waits.
    /// </summary>
    public event Action? CreditChanged;

    /// <summary>Called for each outcome, on the read loop and outside of locks; must not block.</summary>
    public Action<OutgoingDelivery, DeliveryState?, bool>? DispositionReceived { get; set; }

    /// <summary>
    /// Called once a message has gone to the stream whole, its answer not yet read: on the write loop and outside of locks; must not block.
    /// Null, the default, costs nothing.
    /// </summary>
    public Action? TransferWritten { get; set; }

    /// <summary>How many messages the peer takes now.</summary>
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

    /// <summary>What would go out at once now, as far as credit, window and room let it.</summary>
    public SendingRoom Room
    {
        get
        {
            lock (Gate)
            {
                return _waiting.Count > 0 || !MayWrite ? default : Session.RoomFor(_credit);
            }
        }
    }

    /// <summary>The largest message that the peer takes, in bytes; 0 for no limit.</summary>
    public ulong MaxMessageSize => Remote?.MaxMessageSize ?? 0;

    /// <summary>Completes when there is credit.</summary>
    /// <exception cref="AmqpException">The link, session or connection is over.</exception>
    public async ValueTask WaitForCreditAsync(CancellationToken cancellationToken)
    {
        TaskCompletionSource waiter;
        lock (Gate)
        {
            ThrowIfOver();
            if (_credit > 0)
            {
                return;
            }

            waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _creditWaiters.Add(waiter);
        }

        await waiter.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Sends one message as one delivery; completes when its last frame was handed over, which copies the bytes. Waits for credit,
    /// for the session's window and for room in the write queue.
    /// </summary>
    /// <exception cref="AmqpException">The message is too large for the peer, or the link, session or connection is over.</exception>
    public ValueTask<OutgoingDelivery> TransferAsync(ReadOnlySequence<byte> payload, OutgoingTransfer transfer, CancellationToken cancellationToken) =>
        TransferAsync(payload, transfer, settlesItself: false, cancellationToken);

    /// <summary>Sends one message unsettled and completes with the peer's outcome, which is settled on our side as well.</summary>
    /// <exception cref="AmqpException">
    /// The message is too large, no outcome came within the operation's time-out (it may have been stored), or the link was lost.
    /// </exception>
    public async ValueTask<DeliveryState> SendAsync(ReadOnlyMemory<byte> payload, uint messageFormat, CancellationToken cancellationToken)
    {
        var delivery = await TransferAsync(
                new ReadOnlySequence<byte>(payload),
                new OutgoingTransfer { MessageFormat = messageFormat, Batchable = true },
                settlesItself: true,
                cancellationToken
            )
            .ConfigureAwait(false);
        var outcome = delivery.RemoteState;

        // Settled without an outcome: nothing says that the message was taken.
        return await (cancellationToken.CanBeCanceled ? outcome.WaitAsync(cancellationToken) : outcome).ConfigureAwait(false) ?? Released.Instance;
    }

    internal override void TakeFlow(Flow flow, DeferredCalls calls)
    {
        if (flow.LinkCredit is { } credit)
        {
            _credit = SerialNumber.Allowance(flow.DeliveryCount ?? LocalAttach.InitialDeliveryCount ?? 0, credit, _deliveryCount);
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

        if (flow.Echo && MayWrite)
        {
            SendFlow(drain: false);
        }
    }

    internal override void TakeTransfer(Transfer transfer, ReadOnlyMemory<byte> payload, DeferredCalls calls) =>
        Session.Violate(ErrorCondition.NotAllowed, $"A transfer on link '{Name}', whose sender is here.", calls);

    /// <summary>Sends what waits, as far as credit, window and room go.</summary>
    internal void Pump()
    {
        while (_waiting.First is { } first && TryWrite(first.Value))
        {
            Remove(first);
            if (!first.Value.Aborted)
            {
                first.Value.Completion.TrySetResult(first.Value.Delivery);
            }
        }
    }

    /// <summary>Ends the wait of messages that have found neither credit nor window within the operation's time-out.</summary>
    internal void FailLate()
    {
        var connection = Session.Connection;
        LinkedListNode<WaitingTransfer>? next;
        for (var node = _waiting.First; node is not null; node = next)
        {
            next = node.Next;
            if (
                node.Value.Delivery.SettlesItself
                && !node.Value.Aborted
                && connection.Settings.TimeProvider.GetElapsedTime(node.Value.Delivery.Started) >= connection.Settings.OperationTimeout
            )
            {
                GiveUp(node);
                node.Value.Completion.TrySetException(connection.TimedOut($"credit or window on '{Name}'"));
            }
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

        foreach (var waiting in _waiting)
        {
            waiting.Completion.TrySetException(failure);
            waiting.Delivery.Fail(failure);
        }

        _waiting.Clear();
        foreach (var waiter in _creditWaiters)
        {
            waiter.TrySetException(failure);
        }

        _creditWaiters.Clear();
        if (CreditChanged is { } changed)
        {
            calls.Add(changed);
        }
    }

    private async ValueTask<OutgoingDelivery> TransferAsync(
        ReadOnlySequence<byte> payload,
        OutgoingTransfer transfer,
        bool settlesItself,
        CancellationToken cancellationToken
    )
    {
        cancellationToken.ThrowIfCancellationRequested();
        LinkedListNode<WaitingTransfer> node;
        Task<OutgoingDelivery> completion;
        lock (Gate)
        {
            ThrowIfOver();
            if (MaxMessageSize is > 0 and { } limit && (ulong)payload.Length > limit)
            {
                throw new AmqpException(
                    AmqpErrorScope.Delivery,
                    new AmqpError(ErrorCondition.MessageSizeExceeded, $"A message of {payload.Length} bytes exceeds the limit of {limit}.")
                );
            }

            OutgoingDelivery delivery = new(this, transfer.Tag.IsEmpty ? NextTag() : transfer.Tag, Session.Connection.Settings.TimeProvider.GetTimestamp())
            {
                SettlesItself = settlesItself,
            };
            WaitingTransfer waiting = new(payload, transfer, delivery);
            if (_waiting.Count == 0 && TryWrite(waiting))
            {
                return delivery;
            }

            if (_waiting.Count == 0)
            {
                Session.WaitingSenders++;
            }

            node = _waiting.AddLast(waiting);
            GiveBackIfHeldUp();

            // Made under the lock: the read loop may complete it as soon as the lock is free, and both must mean the same one.
            completion = waiting.Completion.Task;
        }

        using (
            cancellationToken.UnsafeRegister(
                static (state, _) => ((AmqpSender)((object[])state!)[0]).Withdraw((LinkedListNode<WaitingTransfer>)((object[])state)[1]),
                (object[])[this, node]
            )
        )
        {
            return await completion.ConfigureAwait(false);
        }
    }

    // True when the delivery went out whole; otherwise it has gone as far as it may.
    private bool TryWrite(WaitingTransfer waiting)
    {
        if (!MayWrite || (!waiting.Started && (_credit == 0 || (!waiting.Transfer.Settled && !Session.MayStart))))
        {
            return false;
        }

        while (Session.HasRoom)
        {
            Transfer frame;
            if (waiting.Aborted)
            {
                Session.Connection.Send(
                    Session.LocalChannel,
                    new Transfer
                    {
                        Handle = LocalAttach.Handle,
                        DeliveryId = waiting.Delivery.DeliveryId,
                        Aborted = true,
                    }
                );
                Session.CountOutgoingFrame();
                Session.Abort(waiting.Delivery);
                return true;
            }

            if (waiting.Started)
            {
                frame = new Transfer { Handle = LocalAttach.Handle };
            }
            else
            {
                waiting.Started = true;
                _credit--;
                _deliveryCount++;
                frame = new Transfer
                {
                    Handle = LocalAttach.Handle,
                    DeliveryId = Session.StartDelivery(waiting.Delivery, waiting.Transfer.Settled),
                    DeliveryTag = waiting.Delivery.Tag,
                    MessageFormat = waiting.Transfer.MessageFormat,
                    Settled = waiting.Transfer.Settled,
                    Batchable = waiting.Transfer.Batchable,
                };
            }

            var connection = Session.Connection;
            var taken = FrameWriter.WriteTransfer(connection.Output.Buffer, Session.LocalChannel, frame, waiting.Rest, connection.Output.MaxFrameSize);
            connection.Output.Commit();
            Session.CountOutgoingFrame();
            waiting.Rest = waiting.Rest.Slice(taken);
            if (waiting.Rest.IsEmpty)
            {
                if (TransferWritten is { } written)
                {
                    connection.Output.WhenWritten(written);
                }

                if (waiting.Transfer.Settled)
                {
                    waiting.Delivery.RemotelySettled = true;
                    waiting.Delivery.Answer(Accepted.Instance);
                }

                return true;
            }
        }

        return false;
    }

    // A cancelled transfer leaves the queue; one that is half sent is aborted on the wire.
    private void Withdraw(LinkedListNode<WaitingTransfer> node)
    {
        lock (Gate)
        {
            if (node.List is null)
            {
                return;
            }

            GiveUp(node);
            node.Value.Completion.TrySetCanceled();
        }
    }

    // What is half sent stays in its place until the window lets the peer be told to drop it. The caller's bytes are free at once.
    private void GiveUp(LinkedListNode<WaitingTransfer> node)
    {
        if (node.Value.Started)
        {
            node.Value.Aborted = true;
            node.Value.Rest = default;
            Pump();
        }
        else
        {
            Remove(node);
        }
    }

    private void Remove(LinkedListNode<WaitingTransfer> node)
    {
        _waiting.Remove(node);
        if (_waiting.Count == 0)
        {
            Session.WaitingSenders--;
        }
    }

    private void SendFlow(bool drain) =>
        Session.Connection.Send(
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
