namespace EventHubThroughput.Lab.Results;

/// <summary>Which build of the program it was, and with which clients.</summary>
internal sealed record ProgramDetails
{
    /// <summary>The version.</summary>
    public required string Version { get; init; }

    /// <summary>The commit that it was built from. Null when the build could not determine it.</summary>
    public string? Commit { get; init; }

    /// <summary>Whether the sources differed from that commit when it was built. Null when the build could not determine it.</summary>
    public bool? Dirty { get; init; }

    /// <summary>SHA-256 of the lock file that names the packages it was built with, lower-case hexadecimal. Null where it was built without one.</summary>
    public string? PackageLockSha256 { get; init; }

    /// <summary>The clients, by their name on the command line.</summary>
    public required string Clients { get; init; }

    /// <summary>The packages of these clients, each as "name version". Empty for the built-in ones, which are of the program itself.</summary>
    public IReadOnlyList<string> Packages
    {
        get;
        init => field = Given.OrEmpty(value);
    } = [];
}
