using System.Reflection;
using System.Xml.Linq;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Who may know whom. The picture stands in docs/design.md; here it cannot rot.</summary>
public sealed class ArchitectureTests
{
    private static readonly Dictionary<string, string[]> Allowed = new(StringComparer.Ordinal)
    {
        ["Amqp"] = [],
        ["AzureProtocol"] = [],
        ["CommandLine"] = [],
        ["Events"] = [],
        ["Journal"] = [],
        ["Metrics"] = [],
        ["Strategies"] = ["Events"],
        ["Verification"] = ["Events", "Journal"],
        ["Clients"] = ["Amqp", "AzureProtocol", "Events"],
        ["Emulator"] = ["Amqp", "AzureProtocol", "CommandLine", "Journal", "Metrics"],
        ["OfficialPackages"] = ["AzureProtocol", "Clients", "Events", "Metrics", "Strategies"],
        ["Sender"] = ["Clients", "CommandLine", "Events", "Journal", "Metrics", "OfficialPackages"],
        ["Consumer"] =
        [
            "Clients", "CommandLine", "Emulator", "Events", "Journal", "Metrics", "OfficialPackages", "Sender", "Strategies", "Verification",
        ],
    };

    private static readonly string Source = RepositoryFiles.PathOf("src");

    [Fact]
    public void Every_project_of_the_source_tree_is_in_the_picture() =>
        Assert.Equal(Allowed.Keys.Order(), Directory.GetDirectories(Source).Select(Path.GetFileName).Order());

    [Theory]
    [MemberData(nameof(Projects))]
    public void A_project_references_only_what_it_may_know(string project)
    {
        IEnumerable<string> references = XDocument.Load(Path.Combine(Source, project, $"{project}.csproj"))
            .Descendants("ProjectReference")
            .Select(reference => Path.GetFileNameWithoutExtension((string)reference.Attribute("Include")!));
        Assert.Empty(references.Except(Allowed[project]));
    }

    [Theory]
    [InlineData("Amqp")]
    [InlineData("AzureProtocol")]
    [InlineData("Events")]
    [InlineData("Metrics")]
    [InlineData("Journal")]
    public void The_libraries_at_the_bottom_stand_on_the_base_class_library_alone(string project) =>
        Assert.Empty(XDocument.Load(Path.Combine(Source, project, $"{project}.csproj")).Descendants("PackageReference"));

    [Fact]
    public void The_consumer_never_sees_an_AMQP_type() =>
        Assert.DoesNotContain(
            Assembly.Load("consumer").GetReferencedAssemblies(),
            name => name.Name is "EventHubThroughput.Amqp" or "EventHubThroughput.AzureProtocol");

    [Fact]
    public void The_emulator_and_the_sender_are_only_started_by_the_consumer_never_called() =>
        Assert.DoesNotContain(
            Assembly.Load("consumer").GetReferencedAssemblies(), name => name.Name is "emulator" or "sender");

    [Fact]
    public void The_verdict_shares_no_code_with_what_it_judges() =>
        Assert.DoesNotContain(
            Assembly.Load("EventHubThroughput.Verification").GetReferencedAssemblies(),
            name => name.Name is "consumer" or "EventHubThroughput.Strategies" or "EventHubThroughput.Clients");

    public static TheoryData<string> Projects() => [.. Allowed.Keys];
}
