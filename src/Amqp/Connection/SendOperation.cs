using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics;
using System.Threading.Tasks.Sources;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>
/// One message that is being sent. It waits for credit, window or room, is half sent, or waits for its outcome. The caller's wait is this object itself,
/// which is used again for later messages. The connection's lock guards everything except that wait.
/// </summary>
internal sealed class SendOperation : IValueTaskSource<DeliveryState>, IValueTaskSource<OutgoingDelivery>, IThreadPoolWorkItem
{
    private readonly byte[] _tag = new byte[sizeof(uint)];
    private readonly AmqpSender _sender;
    private readonly OutgoingDelivery _own;
    private ManualResetValueTaskSourceCore<DeliveryState> _wait;
    private CancellationTokenRegistration _cancellation;
    private DeliveryState? _outcome;
    private Exception? _failure;
    private bool _completed;
    private bool _isShared;

    public SendOperation(AmqpSender sender)
    {
        _sender = sender;
        _own = new OutgoingDelivery(sender, _tag, this);
        Delivery = _own;
    }

    /// <summary>The bytes that are not in a frame yet.</summary>
    public ReadOnlySequence<byte> Rest { get; set; }

    public OutgoingTransfer Transfer { get; private set; }

    public OutgoingDelivery Delivery { get; private set; }

    public bool Started { get; set; }

    public bool Aborted { get; set; }

    /// <summary>Whether it is in its link's queue.</summary>
    public bool IsWaiting { get; set; }

    public SendOperation? Previous { get; set; }

    public SendOperation? Next { get; set; }

    /// <summary>Begins to send a message, whose outcome completes the wait.</summary>
    public void BeginSend(in ReadOnlySequence<byte> payload, uint messageFormat, uint tag, long now)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(_tag, tag);
        _own.Begin(now);
        Begin(payload, new OutgoingTransfer { MessageFormat = messageFormat, Batchable = true }, _own);
    }

    /// <summary>Begins to encode a message. The wait completes when all of it is encoded.</summary>
    public void BeginTransfer(in ReadOnlySequence<byte> payload, in OutgoingTransfer transfer, OutgoingDelivery delivery) => Begin(payload, transfer, delivery);

    /// <summary>The wait for the outcome.</summary>
    public ValueTask<DeliveryState> Outcome(CancellationToken cancellationToken)
    {
        WithdrawOn(cancellationToken);
        return new ValueTask<DeliveryState>(this, _wait.Version);
    }

    /// <summary>The wait until the message is encoded.</summary>
    public ValueTask<OutgoingDelivery> HandOver(CancellationToken cancellationToken)
    {
        WithdrawOn(cancellationToken);
        return new ValueTask<OutgoingDelivery>(this, _wait.Version);
    }

    /// <summary>Another component refers to this message and may continue to do so. It is not used again.</summary>
    public void Share() => _isShared = true;

    /// <summary>Sets the outcome. The caller receives it once its bytes can be reused.</summary>
    public void Complete(DeliveryState outcome)
    {
        if (!_completed)
        {
            _outcome ??= outcome;
            EndIfHandedOver();
        }
    }

    /// <summary>Sets a failure instead of an outcome. As <see cref="Complete"/>.</summary>
    public void Fail(Exception failure)
    {
        if (!_completed)
        {
            _failure ??= failure;
            EndIfHandedOver();
        }
    }

    /// <summary>The last frame was encoded, and the message has left the queue. Reports an outcome that arrived before that.</summary>
    public void HandedOver()
    {
        if (!Delivery.SettlesItself)
        {
            Complete(Accepted.Instance);
        }
        else if (!_completed && (_outcome is not null || _failure is not null))
        {
            EndIfHandedOver();
        }
    }

    /// <summary>Resets it for the next message.</summary>
    public void Reset()
    {
        Debug.Assert(!IsWaiting && Previous is null && Next is null, "a message that waits is not for another one");
        Rest = default;
        Transfer = default;
        Delivery = _own;
        Started = Aborted = _completed = false;
        _outcome = null;
        _failure = null;
        _cancellation = default;
        _wait.Reset();
    }

    void IThreadPoolWorkItem.Execute()
    {
        // What this caller sends next is to go out together with what other callers send that were answered by the same read.
        _sender.Session.Connection.Output.Resumed();
        if (_outcome is not null)
        {
            _wait.SetResult(_outcome);
        }
        else
        {
            _wait.SetException(_failure!);
        }
    }

    DeliveryState IValueTaskSource<DeliveryState>.GetResult(short token)
    {
        End(token);
        try
        {
            return _wait.GetResult(token);
        }
        finally
        {
            GiveBack();
        }
    }

    OutgoingDelivery IValueTaskSource<OutgoingDelivery>.GetResult(short token)
    {
        End(token);
        try
        {
            _wait.GetResult(token);
            return Delivery;
        }
        finally
        {
            GiveBack();
        }
    }

    ValueTaskSourceStatus IValueTaskSource<DeliveryState>.GetStatus(short token) => _wait.GetStatus(token);

    ValueTaskSourceStatus IValueTaskSource<OutgoingDelivery>.GetStatus(short token) => _wait.GetStatus(token);

    void IValueTaskSource<DeliveryState>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wait.OnCompleted(continuation, state, token, flags);

    void IValueTaskSource<OutgoingDelivery>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wait.OnCompleted(continuation, state, token, flags);

    private void Begin(in ReadOnlySequence<byte> payload, in OutgoingTransfer transfer, OutgoingDelivery delivery)
    {
        Debug.Assert(!_completed && !Started && !_isShared, "a message that is under way is not for another one");
        Rest = payload;
        Transfer = transfer;
        Delivery = delivery;
    }

    private void WithdrawOn(CancellationToken cancellationToken)
    {
        if (cancellationToken.CanBeCanceled)
        {
            _cancellation = cancellationToken.UnsafeRegister(
                static (state, token) => ((SendOperation)state!)._sender.Withdraw((SendOperation)state, token),
                this
            );
        }
    }

    // The caller's code may take long, so it never runs under the lock or while frames are read.
    private void EndIfHandedOver()
    {
        if (IsWaiting && !Aborted)
        {
            return;
        }

        _completed = true;
        _sender.Session.Connection.Output.Resuming();
        _sender.Session.Connection.ContinuationQueue.Add(this);
    }

    // A token of an earlier wait throws here, before anything is returned. Afterwards no withdrawal is possible.
    private void End(short token)
    {
        if (_wait.GetStatus(token) == ValueTaskSourceStatus.Pending)
        {
            throw new InvalidOperationException("The outcome is not there yet.");
        }

        _cancellation.Dispose();
    }

    private void GiveBack()
    {
        if (!_isShared)
        {
            _sender.Keep(this);
        }
    }
}
