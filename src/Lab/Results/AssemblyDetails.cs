using System.Reflection;
using System.Security.Cryptography;

namespace EventHubThroughput.Lab.Results;

/// <summary>The assembly that a custom strategy came from.</summary>
internal sealed record AssemblyDetails
{
    /// <summary>The name of its file.</summary>
    public required string File { get; init; }

    /// <summary>Its version, null when it has none.</summary>
    public string? Version { get; init; }

    /// <summary>SHA-256 of the file, lower-case hexadecimal. Null when it can no longer be read.</summary>
    public string? Sha256 { get; init; }

    public static AssemblyDetails Of(string path)
    {
        var details = new AssemblyDetails { File = Path.GetFileName(path) };
        try
        {
            using var content = System.IO.File.OpenRead(path);
            return details with
            {
                Version = AssemblyName.GetAssemblyName(path).Version?.ToString(),
                Sha256 = Convert.ToHexStringLower(SHA256.HashData(content)),
            };
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or BadImageFormatException)
        {
            return details;
        }
    }
}
