using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Whether the programs beside these tests were built with the official packages.</summary>
internal static class OfficialBuild
{
    /// <summary>The trait of every test that needs them: <c>--filter-not-trait Needs=OfficialPackages</c> leaves these out.</summary>
    public const string Trait = "OfficialPackages";

    private const string Missing = "this build has no official packages: docs/packages.md says how to make one that has";

    public static void Require() => Assert.SkipUnless(
        File.Exists(Path.Combine(AppContext.BaseDirectory, "EventHubThroughput.OfficialPackages.dll")), Missing);
}
