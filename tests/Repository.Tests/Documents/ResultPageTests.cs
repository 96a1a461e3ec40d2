using System.Diagnostics;
using System.Text.RegularExpressions;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Documents;

/// <summary>
/// Each page of figures names what was measured: a commit of this repository, and no build with changes on top. README.md is their index.
/// </summary>
public sealed partial class ResultPageTests
{
    private static readonly Lazy<string[]> Commits = new(ReadCommits);

    public static TheoryData<string> Pages =>
        [
            .. Directory
                .EnumerateFiles(RepositoryFiles.GetPath("docs", "results"))
                .Where(static path => Path.GetExtension(path) is ".md" or ".html")
                .Select(static path => Path.GetFileName(path))
                .Where(static name => name != "README.md")
                .Order(StringComparer.Ordinal),
        ];

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_page_names_commits_that_are_known_and_clean(string page)
    {
        var problems = ProblemsOf(File.ReadAllText(RepositoryFiles.GetPath("docs", "results", page))).ToList();

        Assert.True(problems.Count == 0, $"{page}: {string.Join("; ", problems)}");
    }

    [Theory]
    [InlineData("2026-11-27, 2 cores", "names no commit")]
    [InlineData("commit unknown", "names no commit")]
    [InlineData("commit 0123456789abcdef", "commit 0123456789abcdef is not of this repository")]
    public void A_page_without_a_known_commit_is_found(string text, string expected) => Assert.Equal([expected], ProblemsOf(text));

    [Fact]
    public void A_page_of_a_build_with_changes_is_found() =>
        Assert.Equal(["a build with changes on top"], ProblemsOf($"commit {Commits.Value[0]} with changes on top"));

    private static IEnumerable<string> ProblemsOf(string text)
    {
        var named = CommitName().Matches(text).Select(static match => match.Groups["name"].Value.ToLowerInvariant()).Distinct().ToList();
        if (named.Count == 0)
        {
            yield return "names no commit";
        }

        foreach (var name in named.Where(static name => !Commits.Value.Any(commit => commit.StartsWith(name, StringComparison.Ordinal))))
        {
            yield return $"commit {name} is not of this repository";
        }

        if (text.Contains("with changes on top", StringComparison.Ordinal))
        {
            yield return "a build with changes on top";
        }
    }

    private static string[] ReadCommits()
    {
        var start = new ProcessStartInfo("git", ["rev-list", "HEAD"])
        {
            WorkingDirectory = RepositoryFiles.Root,
            RedirectStandardOutput = true,
            UseShellExecute = false,
        };
        using var git = Process.Start(start)!;
        var commits = git.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        git.WaitForExit();
        Assert.True(git.ExitCode == 0 && commits.Length > 0, "the pages are compared with the history of a clone, which is not here");
        return commits;
    }

    [GeneratedRegex("commit `?(?<name>[0-9a-f]{7,40})\\b", RegexOptions.IgnoreCase | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1_000)]
    private static partial Regex CommitName();
}
