using System.Globalization;
using System.Text.RegularExpressions;
using EventHubThroughput.Processes;
using EventHubThroughput.Repository.Builds.Kills;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>
/// The library packed, and three kinds of project built on the packages, once for all tests: the examples, a project of the template, and the
/// program that the readme of each package shows. All of it is in a folder outside the repository. The package cache is in that folder too.
/// </summary>
public sealed partial class PackedExamples : IAsyncLifetime
{
    /// <summary>The project that the template makes.</summary>
    public const string FromTemplate = "FromTemplate";

    /// <summary>The projects of <c>src</c> that are packed.</summary>
    public static readonly string[] Libraries =
    [
        "Amqp",
        "AzureProtocol",
        "Clients",
        "Clients.Azure",
        "Events",
        "Hosting",
        "Logging",
        "Processing",
        "Processing.Azure",
        "Pump",
        "Pump.Azure",
        "Strategies",
        "Strategies.Contract",
        "VirtualTime",
    ];

    private readonly CompilerServer compiler;
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-examples-");

    public PackedExamples(CompilerServer compiler)
    {
        this.compiler = compiler;
        Dotnet = new DotnetCommand(folder.FullName);
    }

    public string Packages => Path.Combine(Examples, "packages");

    /// <summary>The number of commits of the repository, or 0 without a git directory.</summary>
    public int Commits { get; private set; }

    /// <summary>The version that the packages should have.</summary>
    public string Version => GetVersion(Commits);

    internal DotnetCommand Dotnet { get; }

    private string Examples => Path.Combine(folder.FullName, "examples");

    public static string GetVersion(int commits) => string.Create(CultureInfo.InvariantCulture, $"0.1.0-dev.{commits}");

    public string GetProgram(string example) =>
        Path.Combine(example == FromTemplate ? MadeAt(example) : Path.Combine(Examples, example), "bin", "Debug", "net10.0", example);

    public string GetPackage(string name, string extension = "nupkg") => PackageFile.Of(Packages, name, Version, extension);

    /// <summary>The folder of a project that the template makes, outside the examples and their NuGet.config.</summary>
    public string MadeAt(string name) => Path.Combine(folder.FullName, "made", name);

    public async ValueTask InitializeAsync()
    {
        if (Path.Exists(RepositoryFiles.GetPath(".git")))
        {
            Commits = int.Parse(await DotnetCommand.GitAsync(RepositoryFiles.Root, "rev-list", "--count", "HEAD"), CultureInfo.InvariantCulture);
        }

        await Dotnet.PackAsync(Packages);
        CopyExamples();
        var readmes = await Task.WhenAll(Libraries.Select(WriteReadmeProgramAsync));
        var killed = await KillProjects.WriteAsync(Examples);
        var solution = Path.Combine(Examples, "Examples.slnx");
        var projects = await File.ReadAllTextAsync(solution);
        await File.WriteAllTextAsync(
            solution,
            projects.Replace("</Solution>", $"{string.Concat(readmes.Concat(killed))}</Solution>", StringComparison.Ordinal)
        );
        await Dotnet.RunAsync($"build {solution} {compiler.Options} -warnaserror");

        await InstallTemplateAsync(Version);
        await MakeAsync(FromTemplate, Packages);
        await BuildAsync(FromTemplate);
    }

    /// <summary>Installs the template of a version from the folder of the packages, in place of the one that is installed.</summary>
    public async Task InstallTemplateAsync(string version) =>
        await Dotnet.RunAsync($"new install {PackageFile.Of(Packages, "Templates", version)} {Dotnet.Hive}");

    /// <summary>Makes a project of the template.</summary>
    /// <param name="name">The name of the project and its folder.</param>
    /// <param name="source">The value of <c>--source</c>. Null leaves the option out.</param>
    internal Task<FinishedProcess> MakeAsync(string name, string? source) =>
        Dotnet.RunAsync($"new eventhub-handler --output {MadeAt(name)} {(source is null ? "" : $"--source {source}")} --no-update-check {Dotnet.Hive}");

    /// <summary>Restores and builds a project that the template has made.</summary>
    internal Task<FinishedProcess> BuildAsync(string name) => Dotnet.RunAsync($"build {MadeAt(name)} {compiler.Options} -warnaserror");

    public ValueTask DisposeAsync()
    {
        folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    // The program of a readme, on that package alone.
    private async Task<string> WriteReadmeProgramAsync(string name)
    {
        var readme = await File.ReadAllTextAsync(RepositoryFiles.GetPath("src", name, "PACKAGE.md"));
        var program = Program().Match(readme.ReplaceLineEndings("\n"));
        Assert.True(program.Success, $"src/{name}/PACKAGE.md shows no program");
        var project = Directory.CreateDirectory(Path.Combine(Examples, $"Readme.{name}")).FullName;
        await File.WriteAllTextAsync(Path.Combine(project, "Program.cs"), program.Groups["code"].Value);
        var model = name == "Hosting" ? "HostedHandler" : "Handler";
        var handler = await File.ReadAllTextAsync(RepositoryFiles.GetPath("examples", model, $"{model}.csproj"));
        await File.WriteAllTextAsync(
            Path.Combine(project, $"Readme.{name}.csproj"),
            handler.Replace("\"EventHubThroughput.Processing.Azure\"", $"\"EventHubThroughput.{name}\"", StringComparison.Ordinal)
        );
        return $"  <Project Path=\"Readme.{name}/Readme.{name}.csproj\" />\n";
    }

    private void CopyExamples()
    {
        var source = RepositoryFiles.GetPath("examples");
        foreach (var file in Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories))
        {
            var path = Path.GetRelativePath(source, file);
            if (path.Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj" or "packages"))
            {
                continue;
            }

            var copy = Path.Combine(Examples, path);
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }
    }

    [GeneratedRegex("```csharp\n(?<code>.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Program();
}

/// <summary>The tests that share the packages.</summary>
[CollectionDefinition]
public sealed class PackedExamplesCollection : ICollectionFixture<PackedExamples>;
