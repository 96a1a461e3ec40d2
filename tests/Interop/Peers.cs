using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>Finds the peers. A missing peer skips the test with a reason, but fails it where CI is <c>true</c>.</summary>
internal static class Peers
{
    /// <summary>The folder of the solution.</summary>
    public static string RootFolder { get; } = RepositoryFiles.Root;

    /// <summary>The folder of the Node scripts and their packages.</summary>
    public static string ScriptFolder { get; } = Path.Combine(RootFolder, "tests", "Interop", "js");

    /// <summary>The full path of a program on the search path, or null.</summary>
    public static string? FindProgram(string name) =>
        (Environment.GetEnvironmentVariable("PATH") ?? string.Empty)
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .Select(folder => Path.Combine(folder, OperatingSystem.IsWindows() ? name + ".exe" : name))
            .FirstOrDefault(File.Exists);

    /// <summary>Node's path. Does not return when Node or one of the packages is absent.</summary>
    /// <param name="packages">Packages that must be installed, such as <c>@azure/storage-blob</c>.</param>
    public static string RequireNode(params string[] packages)
    {
        var node = FindProgram("node");
        Require(node is not null, "Node.js 20 or later is not on the search path");
        foreach (var package in packages)
        {
            Require(Directory.Exists(Path.Combine(ScriptFolder, "node_modules", package)), $"{package} is not installed; run 'npm ci' in tests/Interop/js");
        }

        return node!;
    }

    /// <summary>Skips, or in CI fails, unless the peer is present.</summary>
    public static void Require(bool present, string reason)
    {
        if (present)
        {
            return;
        }

        if (Environment.GetEnvironmentVariable("CI") == "true")
        {
            Assert.Fail(reason);
        }

        Assert.Skip(reason);
    }
}
