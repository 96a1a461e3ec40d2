namespace EventHubThroughput.Processing;

/// <summary>Why processing ended.</summary>
public enum ProcessingEnd
{
    /// <summary>There was nothing left to do.</summary>
    Drained,

    /// <summary>It was asked to stop.</summary>
    Stopped,

    /// <summary>A fault ended it.</summary>
    Faulted,
}
