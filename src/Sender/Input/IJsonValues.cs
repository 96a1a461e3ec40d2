namespace EventHubThroughput.Sender.Input;

/// <summary>JSON values of a file, read one by one.</summary>
internal interface IJsonValues : IDisposable
{
    /// <summary>The next value in memory of its own, or null at the end.</summary>
    /// <exception cref="MalformedInputException">From here on the file cannot be read.</exception>
    InputLine? Read();
}
