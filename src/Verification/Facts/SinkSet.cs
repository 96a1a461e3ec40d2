namespace EventHubThroughput.Verification;

/// <summary>The sinks of which the journal has records.</summary>
[Flags]
public enum SinkSet : byte
{
    /// <summary>None of them.</summary>
    None = 0,

    /// <summary>The queue or topic. A dead letter names it <c>servicebus</c>.</summary>
    Queue = 1,

    /// <summary>The container of the archive. A dead letter names it <c>blob</c>.</summary>
    Archive = 2,

    /// <summary>Both of them.</summary>
    Both = Queue | Archive,
}
