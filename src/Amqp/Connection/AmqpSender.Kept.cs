using System.Collections.Concurrent;

namespace EventHubThroughput.Amqp;

/// <content>Operations that wait to be used again.</content>
public sealed partial class AmqpSender
{
    private const int MostKept = 4096;

    // Not under the lock: a caller that has received its outcome returns the operation, and must not wait for senders.
    private readonly ConcurrentQueue<SendOperation> _kept = [];
    private int _keptCount;

    /// <summary>How many operations were created so far. The others were used again. Under the lock, or when nothing is sent.</summary>
    internal int OperationsMade { get; private set; }

    /// <summary>Takes an operation back that no other component refers to.</summary>
    internal void Keep(SendOperation operation)
    {
        if (Interlocked.Increment(ref _keptCount) > MostKept)
        {
            Interlocked.Decrement(ref _keptCount);
            return;
        }

        operation.Reset();
        _kept.Enqueue(operation);
    }

    private SendOperation Rent()
    {
        if (!_kept.TryDequeue(out var operation))
        {
            OperationsMade++;
            return new SendOperation(this);
        }

        Interlocked.Decrement(ref _keptCount);
        return operation;
    }
}
