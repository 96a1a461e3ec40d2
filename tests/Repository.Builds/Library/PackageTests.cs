using System.Reflection.Metadata;
using System.Xml.Linq;
using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>What the packages hold.</summary>
[Collection<PackedExamplesCollection>]
public sealed class PackageTests(PackedExamples examples)
{
    private const int LinesOfPage = 60;

    // https://github.com/dotnet/runtime/blob/main/docs/design/specs/PortablePdb-Metadata.md, "Source Link".
    private static readonly Guid SourceLink = new("CC110556-A091-4D38-9FEC-25AB9A351A6A");

    private static readonly string[] All = [.. PackedExamples.Libraries, "Templates"];

    [Fact]
    public void There_is_one_for_each_library_and_one_for_the_template_all_in_the_version_of_the_commit()
    {
        Assert.Equal(All.Select(name => Path.GetFileName(examples.GetPackage(name))).Order(StringComparer.Ordinal), GetFiles("*.nupkg"));
        Assert.Equal(PackedExamples.Libraries.Select(name => Path.GetFileName(examples.GetPackage(name, "snupkg"))), GetFiles("*.snupkg"));
        Assert.All(All, name => Assert.Equal(examples.Version, GetMetadata(name)["version"]));
    }

    [Fact]
    public void Each_library_has_licence_documentation_and_symbols()
    {
        foreach (var name in PackedExamples.Libraries)
        {
            Assert.Equal("MIT", GetMetadata(name)["license"]);
            Assert.True(PackageFile.Has(examples.GetPackage(name), $"lib/net10.0/EventHubThroughput.{name}.xml"), name);
            Assert.True(PackageFile.Has(examples.GetPackage(name, "snupkg"), $"lib/net10.0/EventHubThroughput.{name}.pdb"), name);
        }
    }

    [Fact]
    public void Each_package_has_a_distinct_description()
    {
        var descriptions = All.Select(name => GetMetadata(name)["description"]).ToList();

        Assert.Distinct(descriptions);
        Assert.All(descriptions, static description => Assert.Matches(@"^[A-Z][^\n]{20,200}\.$", description));
        Assert.All(descriptions, static description => Assert.DoesNotMatch(@"(?i)\b(two|three|four|five|\d+) (built-in )?strategies", description));
    }

    [Fact]
    public void Each_package_has_a_distinct_readme_of_one_page_that_installs_and_names_it()
    {
        var readmes = All.Select(name => GetReadme(name)).ToList();

        Assert.Distinct(readmes);
        foreach (var (name, readme) in All.Zip(readmes))
        {
            Assert.Equal("README.md", GetMetadata(name)["readme"]);
            Assert.StartsWith($"# EventHubThroughput.{name}\n", readme, StringComparison.Ordinal);
            Assert.Matches(
                $@"\ndotnet (add package|new install) EventHubThroughput\.{name.Replace(".", @"\.", StringComparison.Ordinal)}( --prerelease)?\n",
                readme
            );
            Assert.Contains("\n## Limits\n", readme, StringComparison.Ordinal);
            Assert.InRange(readme.Split('\n').Length, 20, LinesOfPage);
            // Where a package is shown there is no repository to link into.
            Assert.DoesNotContain("](", readme, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void No_package_names_a_repository_without_a_configured_public_address() =>
        Assert.All(All, name => Assert.DoesNotContain("repository", GetMetadata(name).Keys));

    [Fact]
    public void No_symbols_link_to_sources_as_no_public_address_is_configured()
    {
        foreach (var name in PackedExamples.Libraries)
        {
            var symbols = PackageFile.ReadBytes(examples.GetPackage(name, "snupkg"), $"lib/net10.0/EventHubThroughput.{name}.pdb");
            using var provider = MetadataReaderProvider.FromPortablePdbImage([.. symbols]);
            var reader = provider.GetMetadataReader();
            Assert.DoesNotContain(SourceLink, reader.CustomDebugInformation.Select(handle => reader.GetGuid(reader.GetCustomDebugInformation(handle).Kind)));
        }
    }

    [Theory]
    [InlineData("", "false")]
    [InlineData("-p:RepositoryUrl=https://example.org/project", "true")]
    public async Task Source_link_is_on_where_a_public_address_is_configured(string option, string expected)
    {
        var project = RepositoryFiles.GetPath("src", "Events", "Events.csproj");

        var evaluated = await examples.Dotnet.RunAsync($"msbuild {project} -getProperty:EnableSourceLink {option}");

        Assert.Equal(expected, evaluated.Output.Trim());
    }

    [Fact]
    public async Task A_public_address_that_is_configured_is_in_the_package()
    {
        using var folder = new TemporaryFolder();
        var packages = folder.File("packages");

        await examples.Dotnet.PackAsync(packages, RepositoryFiles.GetPath("src", "Events"), "-p:RepositoryUrl=https://example.org/project");

        var nuspec = PackageFile.ReadNuspec(PackageFile.Of(packages, "Events", examples.Version), "Events");
        var repository = Assert.Single(nuspec.Descendants(), static element => element.Name.LocalName == "repository");
        Assert.Equal("https://example.org/project", (string?)repository.Attribute("url"));
    }

    [Fact]
    public void Processing_needs_no_host() =>
        Assert.All(
            GetDependencies("Processing").Where(static needed => !IsOurs(needed.Id)),
            static needed => Assert.Matches(@"^Microsoft\.Extensions\.(Logging|DependencyInjection)\.Abstractions$", needed.Id)
        );

    [Fact]
    public void A_package_of_ours_is_needed_in_exactly_the_version_that_it_was_built_with()
    {
        var ours = PackedExamples.Libraries.SelectMany(GetDependencies).Where(static needed => IsOurs(needed.Id)).ToList();
        Assert.NotEmpty(ours);
        Assert.All(ours, needed => Assert.Equal($"[{examples.Version}]", needed.Version));
    }

    private static bool IsOurs(string package) => package.StartsWith("EventHubThroughput.", StringComparison.Ordinal);

    // Later packs of other tests are beside those of the fixture.
    private IEnumerable<string> GetFiles(string pattern) =>
        Directory
            .GetFiles(examples.Packages, pattern)
            .Select(static file => Path.GetFileName(file))
            .Where(file => file.EndsWith($".{examples.Version}{pattern[1..]}", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal);

    private List<(string Id, string Version)> GetDependencies(string name) =>
        [
            .. GetNuspec(name)
                .Descendants()
                .Where(static element => element.Name.LocalName == "dependency")
                .Select(static element => ((string)element.Attribute("id")!, (string)element.Attribute("version")!)),
        ];

    private Dictionary<string, string> GetMetadata(string name) =>
        GetNuspec(name).Root!.Elements().Single().Elements().ToDictionary(element => element.Name.LocalName, element => element.Value);

    private XDocument GetNuspec(string name) => PackageFile.ReadNuspec(examples.GetPackage(name), name);

    private string GetReadme(string name) => PackageFile.ReadText(examples.GetPackage(name), "README.md");
}
