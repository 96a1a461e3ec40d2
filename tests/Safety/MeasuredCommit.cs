using System.Diagnostics;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Safety;

/// <summary>The commit of the sources from which the programs of the cells were built.</summary>
internal static class MeasuredCommit
{
    /// <summary><c>commit</c> and its first eight digits, with a remark if sources differ from it.</summary>
    public static string Read()
    {
        var commit = Git("rev-parse", "--short=8", "HEAD").Trim();
        return Git("status", "--porcelain", "--", "src").Length == 0 ? $"commit {commit}" : $"commit {commit} with changes on top";
    }

    /// <summary>Whether a text that <see cref="Read"/> has written names a commit with the same sources as the current one.</summary>
    public static bool HasCurrentSources(string text) =>
        text.Split(' ') is ["commit", var commit] && Git("diff", "--name-only", commit, "--", "src").Length == 0;

    private static string Git(params string[] arguments)
    {
        using var git = Process.Start(
            new ProcessStartInfo("git", arguments)
            {
                WorkingDirectory = RepositoryFiles.Root,
                RedirectStandardOutput = true,
                UseShellExecute = false,
            }
        )!;
        var output = git.StandardOutput.ReadToEnd();
        git.WaitForExit();
        return git.ExitCode == 0 ? output : throw new InvalidOperationException($"git {string.Join(' ', arguments)} ended with {git.ExitCode}");
    }
}
