using System.Reflection;
using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Processes;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>Runs <c>dotnet</c> and <c>git</c> as a user does, with a package cache and a template hive in a given folder.</summary>
/// <param name="folder">The folder.</param>
internal sealed class DotnetCommand(string folder)
{
    private static readonly string Configuration = typeof(DotnetCommand).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration;

    /// <summary>The option of <c>dotnet new</c> that names the hive.</summary>
    public string Hive => $"--debug:custom-hive {Path.Combine(folder, "hive")}";

    /// <summary>Packs what the tests have been built with.</summary>
    /// <param name="output">Gets the packages.</param>
    /// <param name="what">A project or filter, or null for the library.</param>
    /// <param name="options">Further options.</param>
    /// <param name="history">A git directory whose commits are counted, or null for that of the repository.</param>
    public Task<FinishedProcess> PackAsync(string output, string? what = null, string options = "", string? history = null) =>
        RunAsync(
            $"pack {what ?? RepositoryFiles.GetPath("library.slnf")} --no-build --configuration {Configuration} --output {output} --disable-build-servers {options}",
            history is null ? [] : new Dictionary<string, string>(StringComparer.Ordinal) { ["GIT_DIR"] = history }
        );

    public Task<FinishedProcess> RunAsync(string arguments) => RunAsync(arguments, []);

    public static async Task<string> GitAsync(string gitFolder, params string[] arguments)
    {
        string[] who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
        var command = new ProcessCommand("git", [.. who, .. arguments]) { Folder = gitFolder };
        var finished = await RunningProcess.RunAsync(command, Programs.Limit, TestContext.Current.CancellationToken);
        Assert.True(finished.ExitCode == 0, $"git {string.Join(' ', arguments)}: {finished.Output}{finished.Error}");
        return finished.Output.Trim();
    }

    private async Task<FinishedProcess> RunAsync(string arguments, Dictionary<string, string> variables)
    {
        var settings = new Dictionary<string, string>(variables, StringComparer.Ordinal)
        {
            ["NUGET_PACKAGES"] = Path.Combine(folder, "cache"),
            // What a project needs beside our packages has been restored for the repository itself.
            ["NUGET_FALLBACK_PACKAGES"] = UsersPackages(),
        };
        var finished = await Sdk.RunAsync(arguments, settings, TestContext.Current.CancellationToken);
        Assert.True(finished.ExitCode == 0, $"dotnet {arguments}: {finished.Output}{finished.Error}");
        return finished;
    }

    private static string UsersPackages() =>
        Environment.GetEnvironmentVariable("NUGET_PACKAGES")
        ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
}
