using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Clients.Tests.ServiceBus;

/// <summary>A receiver of a queue in memory. It records at any time the requested and the delivered messages and their outcomes.</summary>
internal sealed class MemoryReceiver(VirtualClock clock) : IMessageReceiver
{
    public static readonly TimeSpan LockDuration = TimeSpan.FromSeconds(30);

    private readonly Lock gate = new();
    private readonly LinkedList<ReceivedMessage> waiting = [];
    private readonly Dictionary<Guid, ReceivedMessage> locked = [];
    private readonly List<(string Outcome, long Sequence)> settled = [];
    private TaskCompletionSource arrival = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Called with each receive, before it is answered.</summary>
    public Func<int, Task> OnReceive { get; set; } = static _ => Task.CompletedTask;

    /// <summary>Called with each settlement, before it counts. An exception that it throws is the answer.</summary>
    public Action<ReceivedMessage, string> OnSettle { get; set; } = static (_, _) => { };

    /// <summary>Called with each renewal.</summary>
    public Func<ReceivedMessage, DateTimeOffset> OnRenew { get; set; } = _ => clock.GetUtcNow() + LockDuration;

    /// <summary>Messages that are locked and those that may still come, at the most that it ever was.</summary>
    public int MostOutstanding { get; private set; }

    public int Handed { get; private set; }

    public List<TimeSpan> Renewals { get; } = [];

    public int Locked
    {
        get
        {
            lock (gate)
            {
                return locked.Count;
            }
        }
    }

    public int Waiting
    {
        get
        {
            lock (gate)
            {
                return waiting.Count;
            }
        }
    }

    public IReadOnlyList<(string Outcome, long Sequence)> Settled
    {
        get
        {
            lock (gate)
            {
                return [.. settled];
            }
        }
    }

    public void Add(int count)
    {
        lock (gate)
        {
            for (var number = 1; number <= count; number++)
            {
                waiting.AddLast(Create(Handed + waiting.Count + 1));
            }

            arrival.TrySetResult();
        }
    }

    public ReceivedMessage Create(long sequence) =>
        new()
        {
            MessageId = $"m{sequence}",
            Body = new byte[] { 1 },
            SequenceNumber = sequence,
            LockedUntil = clock.GetUtcNow() + LockDuration,
            LockToken = Guid.NewGuid(),
        };

    public async Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(int maximum, TimeSpan wait, CancellationToken cancellationToken)
    {
        lock (gate)
        {
            MostOutstanding = Math.Max(MostOutstanding, locked.Count + maximum);
        }

        await OnReceive(maximum);
        while (true)
        {
            Task arriving;
            lock (gate)
            {
                if (waiting.Count > 0)
                {
                    return Take(maximum);
                }

                arrival = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                arriving = arrival.Task;
            }

            try
            {
                await arriving.WaitAsync(wait, clock, cancellationToken);
            }
            catch (TimeoutException)
            {
                return [];
            }
        }
    }

    public Task CompleteAsync(ReceivedMessage message, CancellationToken cancellationToken) => Settle(message, "complete");

    public Task AbandonAsync(ReceivedMessage message, IReadOnlyDictionary<string, object?>? propertiesToModify, CancellationToken cancellationToken) =>
        Settle(message, "abandon");

    public Task DeferAsync(ReceivedMessage message, IReadOnlyDictionary<string, object?>? propertiesToModify, CancellationToken cancellationToken) =>
        Settle(message, "defer");

    public Task DeadLetterAsync(ReceivedMessage message, string reason, string? description, CancellationToken cancellationToken) =>
        Settle(message, "dead-letter");

    public Task<DateTimeOffset> RenewLockAsync(ReceivedMessage message, CancellationToken cancellationToken)
    {
        lock (gate)
        {
            Renewals.Add(clock.Elapsed);
        }

        try
        {
            return Task.FromResult(OnRenew(message));
        }
        catch (MessagingException failure)
        {
            return Task.FromException<DateTimeOffset>(failure);
        }
    }

    public Task<IReadOnlyList<ReceivedMessage>> ReceiveDeferredAsync(IReadOnlyList<long> sequenceNumbers, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public Task<IReadOnlyList<ReceivedMessage>> PeekAsync(long fromSequenceNumber, int maximum, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    // Under the gate.
    private List<ReceivedMessage> Take(int maximum)
    {
        List<ReceivedMessage> taken = [.. waiting.Take(maximum)];
        foreach (var message in taken)
        {
            waiting.RemoveFirst();
            locked.Add(message.LockToken, message);
        }

        Handed += taken.Count;
        return taken;
    }

    private Task Settle(ReceivedMessage message, string outcome)
    {
        try
        {
            OnSettle(message, outcome);
        }
        catch (MessagingException failure)
        {
            return Task.FromException(failure);
        }

        lock (gate)
        {
            if (!locked.Remove(message.LockToken))
            {
                throw new InvalidOperationException($"{message.MessageId} was settled twice");
            }

            settled.Add((outcome, message.SequenceNumber));
        }

        return Task.CompletedTask;
    }
}
