using System.Diagnostics.CodeAnalysis;

namespace EventHubThroughput.Amqp;

/// <content>Callers that take messages, and wait while there is none.</content>
public sealed partial class AmqpReceiver
{
    // Guarded by the connection's lock. Callers wait only while the queue is empty.
    private readonly List<ReceiveOperation> _waiting = [];

    // The operation of the last wait, to be used again.
    private ReceiveOperation? _kept;

    /// <summary>Takes the next message.</summary>
    /// <exception cref="AmqpException">The link has ended and nothing is queued.</exception>
    public ValueTask<IncomingDelivery> ReceiveAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<IncomingDelivery>(cancellationToken);
        }

        ReceiveOperation operation;
        lock (Gate)
        {
            if (TryTake(out var delivery))
            {
                return new ValueTask<IncomingDelivery>(delivery);
            }

            if (Lost is { } failure)
            {
                return ValueTask.FromException<IncomingDelivery>(failure.Again());
            }

            operation = Interlocked.Exchange(ref _kept, null) ?? new ReceiveOperation(this);
            _waiting.Add(operation);
        }

        return operation.WaitAsync(cancellationToken);
    }

    /// <summary>Takes the next message if one is queued.</summary>
    public bool TryReceive([NotNullWhen(true)] out IncomingDelivery? delivery)
    {
        lock (Gate)
        {
            return TryTake(out delivery);
        }
    }

    /// <summary>Looks at the next message if one is queued, and leaves it where it is.</summary>
    public bool TryPeek([NotNullWhen(true)] out IncomingDelivery? delivery)
    {
        lock (Gate)
        {
            return _queue.TryPeek(out delivery);
        }
    }

    /// <summary>Ends a wait, unless a message has come for it.</summary>
    internal void Withdraw(ReceiveOperation operation, CancellationToken cancellationToken)
    {
        lock (Gate)
        {
            if (_waiting.Remove(operation))
            {
                operation.Fail(new OperationCanceledException(cancellationToken));
            }
        }
    }

    /// <summary>Takes an operation back that no caller uses any more.</summary>
    internal void Keep(ReceiveOperation operation) => Volatile.Write(ref _kept, operation);

    private bool TryTake([NotNullWhen(true)] out IncomingDelivery? delivery)
    {
        if (!_queue.TryDequeue(out delivery))
        {
            return false;
        }

        Replenish();
        return true;
    }
}
