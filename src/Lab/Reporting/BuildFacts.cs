using System.Reflection;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>What the build has recorded of itself beside the version.</summary>
internal static class BuildFacts
{
    /// <summary>Whether the sources differed from the commit. Null where the build could not determine it.</summary>
    public static bool? Dirty { get; } = bool.TryParse(ReadMetadata("Dirty"), out var dirty) ? dirty : null;

    /// <summary>SHA-256 of the lock file, lower-case hexadecimal. Null where there was none.</summary>
    public static string? PackageLockSha256 { get; } = ReadMetadata("PackageLockSha256");

    private static string? ReadMetadata(string name) =>
        typeof(BuildFacts).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().FirstOrDefault(one => one.Key == name)?.Value;
}
