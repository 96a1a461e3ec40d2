namespace EventHubThroughput.Emulator.Durability;

/// <summary>A record found again. The payload's memory is the reader's: it holds only until the next record.</summary>
/// <param name="Offset">Where the payload begins in the file.</param>
/// <param name="Payload">The bytes that were appended.</param>
internal readonly record struct LogRecord(long Offset, ReadOnlyMemory<byte> Payload);
