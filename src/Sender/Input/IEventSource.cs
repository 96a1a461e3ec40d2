namespace EventHubThroughput.Sender.Input;

/// <summary>A source of events: a generator or a file.</summary>
internal interface IEventSource
{
    long Count { get; }

    /// <summary>The events from the first to the last, generated or read one by one.</summary>
    IEnumerable<SourceEvent> Read();
}

/// <summary>One event as its source has it, before it is stamped.</summary>
/// <param name="Body">The body.</param>
/// <param name="ContentType">The content type, or null.</param>
/// <param name="Key">The partition key, or null.</param>
/// <param name="Line">The line of its file on which it begins, from 1. 0 where there is no file.</param>
internal readonly record struct SourceEvent(ReadOnlyMemory<byte> Body, string? ContentType, string? Key, long Line = 0);

/// <summary>Events of a file, all of which have been checked.</summary>
internal interface IFileSource : IEventSource
{
    string Path { get; }

    /// <summary>The bytes of the largest body.</summary>
    int LargestBody { get; }
}
