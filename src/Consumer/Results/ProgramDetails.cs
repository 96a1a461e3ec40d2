namespace EventHubThroughput.Consumer.Results;

/// <summary>Which build of the program it was, and with which clients.</summary>
internal sealed record ProgramDetails
{
    /// <summary>The version.</summary>
    public required string Version { get; init; }

    /// <summary>The commit that it was built from; null when the build did not know.</summary>
    public string? Commit { get; init; }

    /// <summary>The clients, by their name on the command line.</summary>
    public required string Clients { get; init; }
}
