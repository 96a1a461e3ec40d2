namespace EventHubThroughput.Sender.Input;

/// <summary>One line of a file without its end. Of a line over the limit only the length is known.</summary>
internal readonly record struct InputLine(long Number, ReadOnlyMemory<byte> Bytes, long Length, bool TooLong);
