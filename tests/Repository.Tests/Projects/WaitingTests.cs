using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Projects;

/// <summary>Where tests wait for time to pass, which CONTRIBUTING.md gives the reasons for. The analyzers ban every other way to sleep.</summary>
public sealed class WaitingTests
{
    private static readonly string[] Known = ["tests/Safety/Scripts/Machine.cs", "tests/Safety/Scripts/Owners.cs", "tests/Safety/Scripts/Traffic.cs"];

    [Fact]
    public void Only_the_faults_of_the_matrix_take_their_time()
    {
        var waiting = Directory
            .EnumerateFiles(RepositoryFiles.GetPath("tests"), "*.cs", SearchOption.AllDirectories)
            .Where(static file => File.ReadLines(file).Any(Waits))
            .Select(static file => Path.GetRelativePath(RepositoryFiles.Root, file).Replace('\\', '/'));

        Assert.Equal(Known, waiting.Except(["tests/Repository.Tests/Projects/WaitingTests.cs"]).Order(StringComparer.Ordinal));
    }

    // A delay on the machine's own clock that ends by itself.
    private static bool Waits(string line) =>
        line.Contains("Task.Delay(", StringComparison.Ordinal)
        && line.Contains("TimeProvider.System", StringComparison.Ordinal)
        && !line.Contains("Timeout.InfiniteTimeSpan", StringComparison.Ordinal);
}
