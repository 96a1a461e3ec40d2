namespace EventHubThroughput.Sender.Input;

/// <summary>One line of a file without its end, or one element of an array, by the line on which it begins. Of one over the limit only the length is known.</summary>
internal readonly record struct InputLine(long Number, ReadOnlyMemory<byte> Bytes, long Length, bool TooLong);
