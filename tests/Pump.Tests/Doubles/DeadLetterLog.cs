using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>Dead letters in memory: what was given up, by which sink and why.</summary>
internal sealed class DeadLetterLog
{
    private readonly Lock gate = new();

    public Recorded<(long Sequence, string Sink, string Cause)> Stored { get; } = [];

    /// <summary>How the next attempts fail.</summary>
    public Queue<MessagingException> Failures { get; } = new();

    /// <summary>All attempts to store.</summary>
    public int Attempts { get; private set; }

    public Task StoreAsync(EventSlot receivedEvent, string sink, string cause, int attempts, CancellationToken cancellationToken)
    {
        lock (gate)
        {
            Attempts++;
            if (Failures.TryDequeue(out var failure))
            {
                throw failure;
            }

            Stored.Add((receivedEvent.SequenceNumber, sink, cause));
            return Task.CompletedTask;
        }
    }
}
