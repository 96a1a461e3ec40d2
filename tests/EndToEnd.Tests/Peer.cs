using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Programs of others that a test needs.</summary>
internal static class Peer
{
    /// <summary>Skips the test where the program is absent, but fails where all peers should be installed.</summary>
    public static void Require(string program)
    {
        var present = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':').Any(folder => File.Exists(Path.Combine(folder, program)));
        if (!present && Environment.GetEnvironmentVariable("CI") != "true")
        {
            Assert.Skip($"{program} is not installed (Debian: apt-get install prometheus)");
        }

        Assert.True(present, $"{program} is missing, and in CI a missing peer is a failure");
    }
}
