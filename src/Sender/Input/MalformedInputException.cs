namespace EventHubThroughput.Sender.Input;

/// <summary>A file that cannot be read any further.</summary>
internal sealed class MalformedInputException(long line, string problem) : Exception(problem)
{
    /// <summary>Where, from 1.</summary>
    public long Line => line;
}
