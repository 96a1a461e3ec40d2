using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Projects;

/// <summary>Tests are beside what they test: a test project for each source project, which builds little more than that.</summary>
public sealed class TestProjectTests
{
    private const int MostLines = 400;
    private const int MostLinesOfTests = 500;

    /// <summary>Suites over several products, and what all tests use.</summary>
    private static readonly string[] Suites =
    [
        "Browser",
        "Conviction.Tests",
        "EndToEnd.Tests",
        "Interop",
        "Load.Tests",
        "Repository.Builds",
        "Repository.Tests",
        "Safety",
        "Testing",
    ];

    /// <summary>What a test project references although its source project does not need it.</summary>
    private static readonly Dictionary<string, string[]> Beside = new(StringComparer.Ordinal)
    {
        // The services that both families of clients are tested on.
        ["Clients.Tests"] = ["Emulator.Core"],
        ["Clients.Azure.Tests"] = ["Emulator.Core"],
        ["Hosting.Tests"] = ["Emulator.Core"],
        ["Processing.Azure.Tests"] = ["Emulator.Core"],
        ["Pump.Azure.Tests"] = ["Emulator.Core"],
        // The client of the service that is tested.
        ["Emulator.Core.Tests"] = ["Clients"],
        // The program is started, and used by clients.
        ["Emulator.Tests"] = ["Clients", "Processes"],
        // The plan of a comparison is written as its command line.
        ["Lab.Tests"] = ["Consumer"],
        // The contract that each strategy keeps, and keys as a sender draws them.
        ["Strategies.Tests"] = ["Strategies.Contract", "Workload"],
        ["OfficialPackages.Tests"] = ["Strategies.Contract"],
    };

    public static TheoryData<string> Projects => [.. ProjectFiles.GetFolders("src")];

    [Theory]
    [MemberData(nameof(Projects))]
    public void A_source_project_has_a_test_project_of_the_same_name(string project) => Assert.True(File.Exists(ProjectFiles.Tests($"{project}.Tests")));

    [Fact]
    public void Every_other_project_of_tests_is_a_suite_over_several_products() =>
        Assert.Equal(Suites, ProjectFiles.GetFolders("tests").Except(ProjectFiles.GetFolders("src").Select(static project => $"{project}.Tests")));

    [Theory]
    [MemberData(nameof(Projects))]
    public void A_test_project_references_only_what_its_source_project_needs(string project)
    {
        var tests = $"{project}.Tests";
        var needed = ProjectFiles.WithReferences([ProjectFiles.Source(project)]).Select(ProjectFiles.GetName);

        Assert.Equal(
            Beside.GetValueOrDefault(tests, []),
            ProjectFiles.GetReferences(ProjectFiles.Tests(tests)).Select(ProjectFiles.GetName).Except([.. needed, "Testing"]).Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public void The_shared_project_of_all_tests_references_the_clock_alone() =>
        Assert.Equal(["VirtualTime"], ProjectFiles.GetReferences(ProjectFiles.Tests("Testing")).Select(ProjectFiles.GetName));

    [Theory]
    [InlineData("src", MostLines)]
    [InlineData("benchmarks", MostLines)]
    [InlineData("tests", MostLinesOfTests)]
    public void A_file_has_few_lines(string tree, int most) =>
        Assert.DoesNotContain(
            Directory
                .EnumerateFiles(RepositoryFiles.GetPath(tree), "*.cs", SearchOption.AllDirectories)
                .Where(static file =>
                    !Path.GetRelativePath(RepositoryFiles.Root, file).Split(Path.DirectorySeparatorChar).Any(static part => part is "obj" or "bin")
                ),
            file => File.ReadLines(file).Count() > most
        );
}
