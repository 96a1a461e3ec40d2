namespace EventHubThroughput.Settings;

/// <summary>Wrong usage found after parsing (environment, files, conflicting options): one line per problem, exit code 2.</summary>
public sealed class UsageException(IReadOnlyList<string> problems) : Exception(string.Join("; ", problems))
{
    public UsageException(string problem)
        : this([problem]) { }

    public IReadOnlyList<string> Problems { get; } = problems;
}
