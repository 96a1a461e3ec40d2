using System.Security.Cryptography;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>Compares the latency profiles of two runs, independent of the names and the layout of their files.</summary>
internal static class ProfileHash
{
    /// <summary>SHA-256 of the profile as JSON, lower-case hexadecimal. Null where its file can no longer be read.</summary>
    /// <param name="profile">Its name or file.</param>
    public static string? Of(string profile)
    {
        try
        {
            return Convert.ToHexStringLower(SHA256.HashData(ProfileText.Write(ProfileReader.Of(profile))));
        }
        catch (UsageException)
        {
            return null;
        }
    }
}
