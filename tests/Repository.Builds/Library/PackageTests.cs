using System.IO.Compression;
using System.Xml.Linq;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>What the packages hold.</summary>
[Collection<PackedExamplesCollection>]
public sealed class PackageTests(PackedExamples examples)
{
    private static readonly string[] Libraries =
    [
        "Amqp",
        "AzureProtocol",
        "Clients",
        "Clients.Azure",
        "Events",
        "Logging",
        "Processing",
        "Strategies",
        "Strategies.Contract",
        "VirtualTime",
    ];

    [Fact]
    public void There_is_one_for_each_library_and_one_for_the_template_and_no_other()
    {
        Assert.Equal(
            Libraries.Append("Templates").Select(name => $"EventHubThroughput.{name}.0.1.0.nupkg").Order(StringComparer.Ordinal),
            Directory.GetFiles(examples.Packages, "*.nupkg").Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
        Assert.Equal(
            Libraries.Select(name => $"EventHubThroughput.{name}.0.1.0.snupkg"),
            Directory.GetFiles(examples.Packages, "*.snupkg").Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public void Each_says_what_it_is_under_which_licence_and_brings_documentation_and_symbols()
    {
        foreach (var name in Libraries)
        {
            using var package = ZipFile.OpenRead(Path.Combine(examples.Packages, $"EventHubThroughput.{name}.0.1.0.nupkg"));
            using var symbols = ZipFile.OpenRead(Path.Combine(examples.Packages, $"EventHubThroughput.{name}.0.1.0.snupkg"));
            var metadata = MetadataOf(package);
            Assert.Equal(("MIT", "README.md"), (metadata["license"], metadata["readme"]));
            Assert.EndsWith(".", metadata["description"], StringComparison.Ordinal);
            Assert.NotNull(package.GetEntry("README.md"));
            Assert.NotNull(package.GetEntry($"lib/net10.0/EventHubThroughput.{name}.xml"));
            Assert.NotNull(symbols.GetEntry($"lib/net10.0/EventHubThroughput.{name}.pdb"));
        }
    }

    [Fact]
    public void Processing_needs_abstractions_only()
    {
        Assert.All(
            DependenciesOf("Processing").Where(static needed => !IsOurs(needed.Id)),
            static needed => Assert.Matches(@"^Microsoft\.Extensions\.(Options|.*\.Abstractions)$", needed.Id)
        );
    }

    [Fact]
    public void A_package_of_ours_is_needed_in_exactly_the_version_that_it_was_built_with()
    {
        var ours = Libraries.SelectMany(DependenciesOf).Where(static needed => IsOurs(needed.Id)).ToList();
        Assert.NotEmpty(ours);
        Assert.All(ours, static needed => Assert.Equal("[0.1.0]", needed.Version));
    }

    private static bool IsOurs(string package) => package.StartsWith("EventHubThroughput.", StringComparison.Ordinal);

    private List<(string Id, string Version)> DependenciesOf(string name)
    {
        using var package = ZipFile.OpenRead(Path.Combine(examples.Packages, $"EventHubThroughput.{name}.0.1.0.nupkg"));
        using var nuspec = package.GetEntry($"EventHubThroughput.{name}.nuspec")!.Open();
        return
        [
            .. XDocument
                .Load(nuspec)
                .Descendants()
                .Where(static element => element.Name.LocalName == "dependency")
                .Select(static element => ((string)element.Attribute("id")!, (string)element.Attribute("version")!)),
        ];
    }

    private static Dictionary<string, string> MetadataOf(ZipArchive package)
    {
        using var nuspec = package.Entries.Single(entry => entry.Name.EndsWith(".nuspec", StringComparison.Ordinal)).Open();
        return XDocument.Load(nuspec).Root!.Elements().Single().Elements().ToDictionary(element => element.Name.LocalName, element => element.Value);
    }
}
