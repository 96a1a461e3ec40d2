using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Projects;

/// <summary>
/// A product builds and tests alone: its filter holds the projects that docs/design.md lists, their dependencies, and their tests. After a planned
/// change, <c>EHT_APPROVE=1</c> writes the filters again.
/// </summary>
public sealed partial class SolutionFilterTests
{
    private const string Library = "library.slnf";
    private const string Unit = "unit.slnf";

    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, NewLine = "\n" };

    private static readonly string Solution = RepositoryFiles.GetPath("EventHubThroughput.sln");

    /// <summary>The readme and the projects of each product, by the product's name.</summary>
    private static readonly IReadOnlyDictionary<string, (string Readme, List<string> Projects)> Products = ReadProducts();

    public static TheoryData<string> Names => [.. Products.Keys];

    [Fact]
    public void The_products_hold_all_source_projects() =>
        Assert.Equal(ProjectFiles.GetFolders("src"), Products.Values.SelectMany(static product => product.Projects).Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Names))]
    public void The_filter_of_a_product_holds_its_projects_what_they_need_their_tests_and_nothing_else(string product)
    {
        var expected = ProjectFiles.WithReferences(
            Products[product].Projects.SelectMany(static project => (string[])[ProjectFiles.Source(project), ProjectFiles.Tests($"{project}.Tests")])
        );

        AssertHolds(GetFilter(product), expected);
    }

    [Fact]
    public void The_filter_of_the_library_holds_what_is_packed()
    {
        var packed = XDocument
            .Load(RepositoryFiles.GetPath("Directory.Build.props"))
            .Descendants("LibraryProjects")
            .First()
            .Value.Split(';', StringSplitOptions.RemoveEmptyEntries)
            .Select(static name => name == "Templates" ? RepositoryFiles.GetPath("templates", "Templates.csproj") : ProjectFiles.Source(name));

        AssertHolds(Library, ProjectFiles.WithReferences(packed));
    }

    [Fact]
    public void The_filter_of_the_unit_tests_holds_the_test_projects_of_that_tier() =>
        AssertHolds(
            Unit,
            ProjectFiles.WithReferences(
                ProjectFiles
                    .GetFolders("tests")
                    .Select(ProjectFiles.Tests)
                    .Where(File.Exists)
                    .Where(static project => XDocument.Load(project).Descendants("TestTier").Any(static tier => tier.Value == "unit"))
            )
        );

    [Fact]
    public void There_is_no_other_filter() =>
        Assert.Equal(
            Names.Select(static row => GetFilter(row.Data)).Append(Library).Append(Unit).Order(StringComparer.Ordinal),
            Directory.GetFiles(RepositoryFiles.Root, "*.slnf").Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );

    [Theory]
    [MemberData(nameof(Names))]
    public void The_readme_of_a_product_states_how_to_build_and_test_it_alone(string product)
    {
        var readme = Document.Read("docs", Products[product].Readme);

        Assert.Contains($"dotnet build {GetFilter(product)}", readme, StringComparison.Ordinal);
        Assert.Contains($"dotnet test --solution {GetFilter(product)}", readme, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_project_is_in_the_solution()
    {
        var solution = File.ReadAllText(Solution);

        Assert.All(
            ((string[])["src", "tests", "benchmarks", "templates"])
                .SelectMany(static tree => Directory.GetFiles(RepositoryFiles.GetPath(tree), "*.csproj", SearchOption.AllDirectories))
                .Select(InSolution),
            project => Assert.Contains($"\"{project}\"", solution, StringComparison.Ordinal)
        );
    }

    private static string GetFilter(string product) => $"{product.ToLowerInvariant()}.slnf";

    private static string InSolution(string project) => Path.GetRelativePath(RepositoryFiles.Root, project).Replace('/', '\\');

    private static void AssertHolds(string filter, IEnumerable<string> expected)
    {
        string[] projects = [.. expected.Select(InSolution).Order(StringComparer.Ordinal)];
        if (Environment.GetEnvironmentVariable("EHT_APPROVE") == "1")
        {
            var content = new { solution = new { path = Path.GetFileName(Solution), projects } };
            File.WriteAllText(RepositoryFiles.GetPath(filter), JsonSerializer.Serialize(content, Indented) + "\n");
        }

        Assert.Equal(projects, ProjectFiles.OfFilter(filter).Select(InSolution));
    }

    private static Dictionary<string, (string Readme, List<string> Projects)> ReadProducts()
    {
        Dictionary<string, (string Readme, List<string> Projects)> products = new(StringComparer.Ordinal);
        (string Readme, List<string> Projects)? current = null;
        foreach (var row in Document.Read("docs", "design.md").Split('\n').Select(static line => ProjectRow().Match(line)).Where(static row => row.Success))
        {
            if (row.Groups["product"] is { Success: true, Value: var name })
            {
                current = products[name] = (row.Groups["readme"].Value, []);
            }

            current!.Value.Projects.Add(row.Groups["project"].Value);
        }

        return products;
    }

    [GeneratedRegex(@"^\| (\[(?<product>\w+)\]\((?<readme>[^)]+)\) )?\| `(?<project>[\w.]+)` \|", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex ProjectRow();
}
