using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>A sink whose writes end as the test sets them: immediately, unless an outcome for the event is queued.</summary>
internal sealed class ScriptedSink(string name = "servicebus") : ISink<EventSlot>
{
    private readonly Lock gate = new();
    private readonly Dictionary<long, Queue<Func<CancellationToken, Task>>> script = [];

    public string Name => name;

    /// <summary>Sequence numbers in the order in which their writes began.</summary>
    public Recorded<long> Begun { get; } = [];

    /// <summary>Sequence numbers in the order in which they were stored.</summary>
    public Recorded<long> Stored { get; } = [];

    public ScriptedSink On(long sequence, Func<CancellationToken, Task> outcome)
    {
        lock (gate)
        {
            if (!script.TryGetValue(sequence, out var outcomes))
            {
                script[sequence] = outcomes = new Queue<Func<CancellationToken, Task>>();
            }

            outcomes.Enqueue(outcome);
        }

        return this;
    }

    public ScriptedSink FailOn(long sequence, Exception failure, int times = 1)
    {
        for (var i = 0; i < times; i++)
        {
            On(sequence, _ => Task.FromException(failure));
        }

        return this;
    }

    /// <summary>A write that ends only when it is cut.</summary>
    public ScriptedSink HangOn(long sequence) => On(sequence, token => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, token));

    public async ValueTask WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken)
    {
        Func<CancellationToken, Task>? outcome = null;
        lock (gate)
        {
            Begun.Add(receivedEvent.SequenceNumber);
            if (script.TryGetValue(receivedEvent.SequenceNumber, out var outcomes))
            {
                outcomes.TryDequeue(out outcome);
            }
        }

        if (outcome is not null)
        {
            await outcome(cancellationToken);
        }

        lock (gate)
        {
            Stored.Add(receivedEvent.SequenceNumber);
        }
    }
}
