using System.Text.Json.Nodes;
using System.Xml.Linq;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Events.Tests.Repository;

/// <summary>A part of the repository that builds and tests alone: its filter names all that its projects need.</summary>
public sealed class SolutionFilterTests
{
    public static TheoryData<string> Filters => ["amqp.slnf", "emulator.slnf", "harness.slnf", "processing.slnf"];

    [Theory]
    [MemberData(nameof(Filters))]
    public void A_filter_names_projects_that_exist_and_everything_that_they_reference(string filter)
    {
        var projects = ProjectsOf(filter);

        Assert.All(projects, static project => Assert.True(File.Exists(project), project));
        Assert.Empty(projects.SelectMany(ReferencesOf).Except(projects));
        Assert.Contains(projects, static project => XDocument.Load(project).Descendants("TestTier").Any());
    }

    [Fact]
    public void Every_project_is_in_a_filter()
    {
        var all = Directory
            .GetFiles(RepositoryFiles.Root, "*.csproj", SearchOption.AllDirectories)
            .Where(static file =>
                File.ReadAllText(RepositoryFiles.PathOf("EventHubThroughput.sln"))
                    .Contains(Path.GetRelativePath(RepositoryFiles.Root, file).Replace('/', '\\'), StringComparison.Ordinal)
            );

        Assert.Empty(all.Except(Filters.SelectMany(static row => ProjectsOf(row.Data))));
    }

    private static string[] ProjectsOf(string filter) =>
        [
            .. JsonNode.Parse(File.ReadAllText(RepositoryFiles.PathOf(filter)))!["solution"]!["projects"]!
                .AsArray()
                .Select(static project => RepositoryFiles.PathOf(((string)project!).Split('\\'))),
        ];

    // Those of a build without options.
    private static IEnumerable<string> ReferencesOf(string project) =>
        XDocument
            .Load(project)
            .Descendants("ProjectReference")
            .Where(static reference => reference.Attribute("Condition") is null && reference.Parent!.Attribute("Condition") is null)
            .Select(reference => Path.GetFullPath((string)reference.Attribute("Include")!, Path.GetDirectoryName(project)!));
}
