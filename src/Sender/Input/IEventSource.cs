namespace EventHubThroughput.Sender.Input;

/// <summary>Where events come from: a generator or a file.</summary>
internal interface IEventSource
{
    /// <summary>How many events it has.</summary>
    long Count { get; }

    /// <summary>The events from the first to the last, made or read one by one.</summary>
    IEnumerable<SourceEvent> Read();
}
