namespace EventHubThroughput.Sender.Input;

/// <summary>JSON values of a file, read one by one.</summary>
internal interface IJsonValues : IDisposable
{
    /// <summary>Reads the next value into a separate buffer. Null at the end.</summary>
    /// <exception cref="MalformedInputException">The file cannot be read any further.</exception>
    InputLine? Read();
}

/// <summary>
/// One line of a file without its line end, or one element of an array, with the line on which it begins. For a value over the limit only the length is kept.
/// </summary>
internal readonly record struct InputLine(long Number, ReadOnlyMemory<byte> Bytes, long Length, bool TooLong);

/// <summary>A file that cannot be read any further.</summary>
internal sealed class MalformedInputException(long line, string problem) : Exception(problem)
{
    /// <summary>The line of the problem, from 1.</summary>
    public long Line => line;
}
