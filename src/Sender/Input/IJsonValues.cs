namespace EventHubThroughput.Sender.Input;

/// <summary>JSON values of a file, read one by one.</summary>
internal interface IJsonValues : IDisposable
{
    /// <summary>The next value in memory of its own, or null at the end.</summary>
    /// <exception cref="MalformedInputException">From here on the file cannot be read.</exception>
    InputLine? Read();
}

/// <summary>One line of a file without its end, or one element of an array, by the line on which it begins. Of one over the limit only the length is known.</summary>
internal readonly record struct InputLine(long Number, ReadOnlyMemory<byte> Bytes, long Length, bool TooLong);

/// <summary>A file that cannot be read any further.</summary>
internal sealed class MalformedInputException(long line, string problem) : Exception(problem)
{
    /// <summary>Where, from 1.</summary>
    public long Line => line;
}
