using System.Reflection;
using System.Xml.Linq;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Projects;

/// <summary>Every test has one tier, and no stage of CI can miss one.</summary>
public sealed class TierTests
{
    private static readonly string[] Tiers = ["unit", "process", "interop", "browser", "safety"];

    public static TheoryData<string> TestProjects =>
        [
            .. Directory
                .GetFiles(RepositoryFiles.GetPath("tests"), "*.csproj", SearchOption.AllDirectories)
                .Where(static file =>
                    XDocument.Load(file).Descendants("PackageReference").Any(static package => (string?)package.Attribute("Include") == "xunit.v3")
                )
                .Select(static file => Path.GetRelativePath(RepositoryFiles.Root, file)),
        ];

    [Theory]
    [MemberData(nameof(TestProjects))]
    public void A_test_project_has_one_tier_and_no_class_of_it_another(string project)
    {
        var file = RepositoryFiles.GetPath(project);
        Assert.Contains(Assert.Single(XDocument.Load(file).Descendants("TestTier")).Value, Tiers);
        Assert.DoesNotContain(
            Directory.EnumerateFiles(Path.GetDirectoryName(file)!, "*.cs", SearchOption.AllDirectories),
            static source =>
                !source.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal)
                && File.ReadAllText(source).Contains("Trait(\"Tier\"", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void The_tier_of_a_project_is_a_trait_of_its_assembly() =>
        Assert.Equal(
            ("Tier", "unit"),
            Assert.Single(typeof(TierTests).Assembly.GetCustomAttributes<TraitAttribute>().Select(static trait => (trait.Name, trait.Value)))
        );

    [Fact]
    public void The_stages_of_CI_are_the_tiers_the_quickest_first()
    {
        var stages = File.ReadAllText(RepositoryFiles.GetPath(".ci", "stages"));

        Assert.Contains($"run_stage {Tiers[0]} ", stages, StringComparison.Ordinal);
        Assert.Contains($"for tier in {string.Join(' ', Tiers.Skip(1))}; do run_stage ", stages, StringComparison.Ordinal);
    }
}
