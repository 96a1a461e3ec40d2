namespace EventHubThroughput.Sender.Input;

/// <summary>Where events come from: a generator or a file.</summary>
internal interface IEventSource
{
    /// <summary>How many events it has.</summary>
    long Count { get; }

    /// <summary>The events from the first to the last, made or read one by one.</summary>
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
    /// <summary>The file.</summary>
    string Path { get; }

    /// <summary>The most bytes of any body.</summary>
    int LargestBody { get; }
}
