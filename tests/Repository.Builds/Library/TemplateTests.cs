using System.Text.Json.Nodes;
using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>What <c>dotnet new eventhub-handler</c> makes of the packed template, outside the repository.</summary>
[Collection<PackedExamplesCollection>]
public sealed class TemplateTests(PackedExamples examples)
{
    [Fact]
    public async Task A_project_has_its_program_and_the_source_of_its_packages_and_takes_the_version_of_the_template()
    {
        var made = examples.MadeAt(PackedExamples.FromTemplate);

        Assert.Equal(
            [$"{PackedExamples.FromTemplate}.csproj", "NuGet.config", "Program.cs"],
            Directory.GetFiles(made).Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
        var project = await File.ReadAllTextAsync(Path.Combine(made, $"{PackedExamples.FromTemplate}.csproj"), TestContext.Current.CancellationToken);
        Assert.Contains($"Include=\"EventHubThroughput.Processing.Azure\" Version=\"{examples.Version}\"", project, StringComparison.Ordinal);
        Assert.Equal([examples.Version], await OursOfAsync(made));
    }

    [Fact]
    public async Task Without_a_source_a_project_takes_those_of_its_user_and_the_template_names_the_option()
    {
        var finished = await examples.MakeAsync("WithoutSource", source: null);

        Assert.Contains("dotnet new eventhub-handler --source FOLDER", finished.Output, StringComparison.Ordinal);
        Assert.Equal(
            ["Program.cs", "WithoutSource.csproj"],
            Directory.GetFiles(examples.MadeAt("WithoutSource")).Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public async Task A_source_with_characters_of_XML_stays_what_it_is()
    {
        await examples.MakeAsync("OddSource", "/packages/a&b");

        var config = await File.ReadAllTextAsync(Path.Combine(examples.MadeAt("OddSource"), "NuGet.config"), TestContext.Current.CancellationToken);
        Assert.Contains("value=\"/packages/a&amp;b\"", config, StringComparison.Ordinal);
    }

    /// <summary>The package cache holds the packages of the commit before, as that of a developer does.</summary>
    [Fact]
    public async Task After_another_commit_and_pack_a_new_project_is_built_on_the_new_packages()
    {
        Assert.SkipUnless(Path.Exists(RepositoryFiles.GetPath(".git")), "the tree has no history");
        using var folder = new TemporaryFolder();
        var history = folder.File("history.git");
        await DotnetCommand.GitAsync(RepositoryFiles.Root, "clone", "--quiet", "--bare", "--shared", ".", history);
        var commit = await DotnetCommand.GitAsync(history, "commit-tree", "-p", "HEAD", "-m", "next", "HEAD^{tree}");
        await DotnetCommand.GitAsync(history, "update-ref", "HEAD", commit);
        var next = PackedExamples.GetVersion(examples.Commits + 1);

        await examples.Dotnet.PackAsync(examples.Packages, history: history);
        await examples.InstallTemplateAsync(next);
        await examples.MakeAsync("AfterCommit", examples.Packages);
        await examples.BuildAsync("AfterCommit");

        Assert.Equal([next], await OursOfAsync(examples.MadeAt("AfterCommit")));
        Assert.Equal([examples.Version], await OursOfAsync(examples.MadeAt(PackedExamples.FromTemplate)));
    }

    [Fact]
    public async Task A_version_that_is_given_is_that_of_packages_and_template()
    {
        using var folder = new TemporaryFolder();
        var packages = folder.File("packages");

        await examples.Dotnet.PackAsync(packages, options: "-p:Version=1.2.3");

        Assert.All(Directory.GetFiles(packages), static file => Assert.EndsWith(".1.2.3", Path.GetFileNameWithoutExtension(file), StringComparison.Ordinal));
        var template = PackageFile.ReadText(PackageFile.Of(packages, "Templates", "1.2.3"), "content/eventhub-handler/.template.config/template.json");
        Assert.Contains("\"value\": \"1.2.3\"", template, StringComparison.Ordinal);
    }

    /// <summary>The number of a shallow clone could be that of an older pack.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_pack_without_all_commits_has_the_number_0_and_reports_the_reason(bool isShallow)
    {
        Assert.SkipUnless(Path.Exists(RepositoryFiles.GetPath(".git")), "the tree has no history");
        using var folder = new TemporaryFolder();
        var (packages, history) = (folder.File("packages"), folder.File("history.git"));
        if (isShallow)
        {
            await DotnetCommand.GitAsync(
                RepositoryFiles.Root,
                "clone",
                "--quiet",
                "--bare",
                "--depth",
                "1",
                new Uri(RepositoryFiles.Root).AbsoluteUri,
                history
            );
        }

        var finished = await examples.Dotnet.PackAsync(packages, RepositoryFiles.GetPath("src", "Events"), history: history);

        Assert.True(File.Exists(PackageFile.Of(packages, "Events", PackedExamples.GetVersion(0))), finished.Output);
        Assert.Contains("EventHubThroughput.Events: version 0.1.0-dev.0, because git gave no number of commits", finished.Output, StringComparison.Ordinal);
    }

    // The versions of our packages that a built project references.
    private static async Task<string[]> OursOfAsync(string project)
    {
        var text = await File.ReadAllTextAsync(Path.Combine(project, "obj", "project.assets.json"), TestContext.Current.CancellationToken);
        return
        [
            .. JsonNode.Parse(text)!["libraries"]!
                .AsObject()
                .Select(static library => library.Key.Split('/'))
                .Where(static library => library[0].StartsWith("EventHubThroughput.", StringComparison.Ordinal))
                .Select(static library => library[1])
                .Distinct(),
        ];
    }
}
