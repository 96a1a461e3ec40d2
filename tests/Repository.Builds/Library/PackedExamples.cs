using System.Reflection;
using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>
/// The library packed, the template installed, and every example built on the packages as a user's project is, once for all tests: in a
/// folder of its own, with a package cache of its own beside the user's, so that no earlier packages of the same version are taken.
/// </summary>
public sealed class PackedExamples : IAsyncLifetime
{
    /// <summary>The project that the template makes.</summary>
    public const string FromTemplate = "FromTemplate";

    private static readonly TimeSpan BuildLimit = TimeSpan.FromMinutes(10);

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-examples-");

    public string Packages => Path.Combine(folder.FullName, "packages");

    public string ProgramOf(string example) => Path.Combine(folder.FullName, example, "bin", "Debug", "net10.0", example);

    public async ValueTask InitializeAsync()
    {
        var configuration = typeof(PackedExamples).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration;
        await DotnetAsync(
            $"pack {RepositoryFiles.PathOf("library.slnf")} --no-build --configuration {configuration} --output {Packages} --disable-build-servers"
        );
        CopyExamples();

        var hive = Path.Combine(folder.FullName, "hive");
        var template = Path.Combine(Packages, "EventHubThroughput.Templates.0.1.0.nupkg");
        await DotnetAsync($"new install {template} --debug:custom-hive {hive}");
        await DotnetAsync($"new eventhub-handler --output {Path.Combine(folder.FullName, FromTemplate)} --debug:custom-hive {hive} --no-update-check");

        var solution = Path.Combine(folder.FullName, "Examples.slnx");
        var projects = await File.ReadAllTextAsync(solution);
        await File.WriteAllTextAsync(
            solution,
            projects.Replace("</Solution>", $"  <Project Path=\"{FromTemplate}/{FromTemplate}.csproj\" />\n</Solution>", StringComparison.Ordinal)
        );
        await DotnetAsync($"build {solution} --disable-build-servers -warnaserror -p:RestoreFallbackFolders={UsersPackages()}");
    }

    public ValueTask DisposeAsync()
    {
        folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    // What the examples need beside ours has been restored for the repository itself.
    private static string UsersPackages() =>
        Environment.GetEnvironmentVariable("NUGET_PACKAGES")
        ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    private void CopyExamples()
    {
        var source = RepositoryFiles.PathOf("examples");
        foreach (var file in Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories))
        {
            var path = Path.GetRelativePath(source, file);
            if (path.Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj" or "packages"))
            {
                continue;
            }

            var copy = Path.Combine(folder.FullName, path);
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }
    }

    private async Task DotnetAsync(string arguments)
    {
        var dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "/usr/bin/env";
        var settings = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["NUGET_PACKAGES"] = Path.Combine(folder.FullName, "cache"),
            ["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1",
        };
        var finished = await Programs.RunAsync(
            dotnet,
            dotnet == "/usr/bin/env" ? $"dotnet {arguments}" : arguments,
            settings,
            CancellationToken.None,
            BuildLimit
        );
        Assert.True(finished.ExitCode == 0, $"dotnet {arguments}: {finished.Output}{finished.Error}");
    }
}

/// <summary>The tests that share the packages.</summary>
[CollectionDefinition]
public sealed class PackedExamplesCollection : ICollectionFixture<PackedExamples>;
