using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Whether the programs beside these tests were built with the official packages.</summary>
internal static class OfficialBuild
{
    /// <summary>The trait of every test that needs them: <c>--filter-not-trait Needs=OfficialPackages</c> leaves these out.</summary>
    public const string Trait = "OfficialPackages";

    /// <summary>The trait of every test that needs a build without them.</summary>
    public const string AbsenceTrait = "DefaultBuild";

    private const string Absence = "this build has no official packages: docs/packages.md says how to make one that has";

    public static bool IsThis => File.Exists(Path.Combine(AppContext.BaseDirectory, "EventHubThroughput.OfficialPackages.dll"));

    public static void Require() => Assert.SkipUnless(IsThis, Absence);

    public static void RequireAbsence() => Assert.SkipWhen(IsThis, "this build has the official packages");

    /// <summary>A row of a theory that needs the packages, as a whole test does that has the trait.</summary>
    public static TheoryDataRow Row(params object[] values) => new(values) { Skip = IsThis ? null : Absence, Traits = { ["Needs"] = [Trait] } };
}
