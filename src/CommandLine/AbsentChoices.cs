namespace EventHubThroughput.CommandLine;

/// <summary>Values that an option knows and this build lacks.</summary>
/// <param name="Names">The values.</param>
/// <param name="Remedy">What adds them.</param>
public sealed record AbsentChoices(IReadOnlyList<string> Names, string Remedy)
{
    /// <summary>For options that have all that they know.</summary>
    public static AbsentChoices None { get; } = new([], string.Empty);
}
