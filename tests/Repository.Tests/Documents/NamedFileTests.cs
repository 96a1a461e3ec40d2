using System.Text.RegularExpressions;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Documents;

/// <summary>The files and folders that documents name are there.</summary>
public sealed partial class NamedFileTests
{
    // The recipes of CONTRIBUTING.md make these.
    private static readonly string[] OfRecipes = ["src/Strategies/YourStrategy.cs", "src/Processing/Sinks/YourSink.cs"];

    public static TheoryData<string> Pages =>
        [
            "README.md",
            "CONTRIBUTING.md",
            .. new[] { "docs", "src" }
                .SelectMany(static folder => Directory.EnumerateFiles(RepositoryFiles.GetPath(folder), "*.md", SearchOption.AllDirectories))
                .Select(static file => Path.GetRelativePath(RepositoryFiles.Root, file)),
        ];

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_path_in_code_quotes_exists(string page)
    {
        var named = NamedPath().Matches(Document.Read(page)).Select(static match => match.Groups["path"].Value).Except(OfRecipes);
        Assert.Equal([], named.Where(static path => !File.Exists(RepositoryFiles.GetPath(path)) && !Directory.Exists(RepositoryFiles.GetPath(path))));
    }

    [GeneratedRegex("`(?<path>(?:src|tests|docs|benchmarks|examples|grafana|templates)/[A-Za-z0-9_./-]*)`", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex NamedPath();
}
