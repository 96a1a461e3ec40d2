namespace EventHubThroughput.Sender.Input;

/// <summary>One event as its source has it, before it is stamped.</summary>
/// <param name="Body">The body.</param>
/// <param name="ContentType">The content type, or null.</param>
/// <param name="Key">The partition key, or null.</param>
/// <param name="Line">The line of its file on which it begins, from 1; 0 where there is no file.</param>
internal readonly record struct SourceEvent(ReadOnlyMemory<byte> Body, string? ContentType, string? Key, long Line = 0);
