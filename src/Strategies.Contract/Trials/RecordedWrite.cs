using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies.Contract.Trials;

/// <summary>One write as its sink saw it. Steps define the order of moments with the same virtual time.</summary>
internal sealed class RecordedWrite(string sink, EventSlot receivedEvent, long operation, long begunStep, TimeSpan begun)
{
    public string Sink => sink;

    public long Sequence => receivedEvent.SequenceNumber;

    public string? Key => receivedEvent.Key;

    /// <summary>The operation that it is part of. The strategy passed the other writes of the operation to the sink in the same call.</summary>
    public long Operation => operation;

    public long BegunStep => begunStep;

    public TimeSpan Begun => begun;

    /// <summary>When it ended, with success or failure. Null while it is in flight.</summary>
    public long? EndedStep { get; set; }

    public TimeSpan? Ended { get; set; }

    public bool Acknowledged { get; set; }
}
