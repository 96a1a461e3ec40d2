namespace EventHubThroughput.Sender.Input;

/// <summary>One event as its source has it, before it is stamped.</summary>
internal readonly record struct SourceEvent(ReadOnlyMemory<byte> Body, string? ContentType, string? Key);
