namespace EventHubThroughput.Verification;

/// <summary>The sinks that can be judged.</summary>
[Flags]
public enum SinkSet : byte
{
    /// <summary>None of them.</summary>
    None = 0,

    /// <summary>The queue or topic. A dead letter names it <c>servicebus</c>.</summary>
    Queue = 1,

    /// <summary>The container of the archive. A dead letter names it <c>blob</c>.</summary>
    Archive = 2,

    /// <summary>Queue and archive, of which the journal has records.</summary>
    Both = Queue | Archive,

    /// <summary>Handlers of the caller, alone. The consumer's record has what they acknowledged.</summary>
    Handlers = 4,
}
