using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Projects;

/// <summary>Which project may reference which. The picture is in docs/design.md. Here it cannot rot.</summary>
public sealed partial class ArchitectureTests
{
    private static readonly Dictionary<string, string[]> Allowed = new(StringComparer.Ordinal)
    {
        ["Amqp"] = [],
        ["AzureProtocol"] = [],
        ["CommandLine"] = ["Settings", "Telemetry"],
        ["Comparison"] = ["Workload"],
        ["VirtualTime"] = [],
        ["Workload"] = [],
        ["Events"] = [],
        ["Journal"] = [],
        ["Logging"] = [],
        ["Profiles"] = ["Settings"],
        ["Settings"] = ["AzureProtocol"],
        ["Model"] = ["Events", "Profiles"],
        ["Strategies"] = ["Events"],
        ["Strategies.Contract"] = ["Events", "Strategies", "VirtualTime"],
        ["Verification"] = ["Events", "Journal"],
        ["Telemetry"] = ["Settings"],
        ["Pump"] = ["Events", "Strategies"],
        ["Pump.Azure"] = ["Pump"],
        ["Hosting"] = ["Clients.Azure", "Processing"],
        ["Processing"] = ["AzureProtocol", "Clients", "Events", "Logging", "Pump", "Strategies"],
        ["Processing.Azure"] = ["Clients", "Clients.Azure", "Events", "Logging", "Processing"],
        ["Clients"] = ["Amqp", "AzureProtocol", "Events", "Logging"],
        ["Emulator.Core"] = ["Amqp", "AzureProtocol", "Journal", "Logging", "Profiles", "Settings", "Telemetry"],
        ["Emulator"] = ["CommandLine", "Emulator.Core", "Journal", "Profiles", "Settings"],
        ["Clients.Azure"] = ["AzureProtocol", "Clients", "Events", "Logging"],
        ["OfficialPackages"] = ["Clients", "Clients.Azure", "Events", "Strategies"],
        ["Sender"] = ["Clients", "Clients.Azure", "CommandLine", "Events", "Journal", "Telemetry", "Workload"],
        ["Processes"] = ["Settings"],
        ["Lab"] =
        [
            "Clients",
            "Clients.Azure",
            "Comparison",
            "Events",
            "Journal",
            "Model",
            "OfficialPackages",
            "Processes",
            "Processing",
            "Profiles",
            "Pump",
            "Settings",
            "Strategies",
            "Telemetry",
            "Verification",
            "Workload",
        ],
        ["Consumer"] = ["CommandLine", "Emulator", "Lab", "Sender"],
    };

    private static readonly string[] OfPackagesOnly = ["Clients.Azure", "Hosting", "OfficialPackages", "Processing.Azure", "Pump.Azure"];

    private static readonly string Source = RepositoryFiles.GetPath("src");

    // Programs of users, on packages only.
    private static readonly string Examples = RepositoryFiles.GetPath("examples");

    /// <summary>Users run strategies over events of any type.</summary>
    [Fact]
    public void Strategies_name_no_event_of_a_client()
    {
        var naming = Directory
            .EnumerateFiles(RepositoryFiles.GetPath("src", "Strategies"), "*.cs")
            .Where(static file => ClientEvents().IsMatch(File.ReadAllText(file)))
            .Select(static file => Path.GetFileName(file));

        Assert.Empty(naming);
    }

    [Fact]
    public void Every_project_of_the_source_tree_is_in_the_picture() =>
        Assert.Equal(Allowed.Keys.Order(), Directory.GetDirectories(Source).Select(Path.GetFileName).Order());

    [Theory]
    [MemberData(nameof(Projects))]
    public void A_project_references_only_what_it_may_know(string project)
    {
        var references = XDocument
            .Load(Path.Combine(Source, project, $"{project}.csproj"))
            .Descendants("ProjectReference")
            .Select(reference => Path.GetFileNameWithoutExtension((string)reference.Attribute("Include")!));
        Assert.Empty(references.Except(Allowed[project]));
    }

    [Theory]
    [InlineData("Amqp")]
    [InlineData("AzureProtocol")]
    [InlineData("Events")]
    [InlineData("Journal")]
    [InlineData("VirtualTime")]
    [InlineData("Workload")]
    public void The_lowest_libraries_depend_on_the_base_class_library_alone(string project) => Assert.Empty(GetPackages(project));

    [Fact]
    public void Only_programs_and_their_command_line_reference_its_package() =>
        Assert.Equal(["CommandLine"], Allowed.Keys.Where(static project => GetPackages(project).Contains("System.CommandLine")));

    [Theory]
    [InlineData("Lab")]
    [InlineData("Processes")]
    [InlineData("Settings")]
    [InlineData("Telemetry")]
    [InlineData("Profiles")]
    [InlineData("Model")]
    public void A_library_does_not_know_the_command_line(string project) =>
        Assert.DoesNotContain(
            Assembly.Load($"EventHubThroughput.{project}").GetReferencedAssemblies(),
            static name => name.Name is "EventHubThroughput.CommandLine" or "System.CommandLine"
        );

    [Fact]
    public void Only_the_console_and_the_tables_of_the_lab_reference_Spectre_Console() =>
        Assert.Equal(["CommandLine", "Lab"], Allowed.Keys.Where(static project => GetPackages(project).Contains("Spectre.Console")));

    [Fact]
    public void The_telemetry_depends_on_prometheus_net_which_no_other_project_references()
    {
        Assert.Contains("prometheus-net", GetPackages("Telemetry"));
        Assert.Equal(["Telemetry"], Allowed.Keys.Where(project => GetPackages(project).Contains("prometheus-net")));
    }

    [Fact]
    public void The_consumer_never_sees_an_AMQP_type()
    {
        string[] closed = ["EventHubThroughput.Amqp", "EventHubThroughput.AzureProtocol", "Microsoft.Azure.Amqp", "Azure.Core.Amqp"];
        string[] ofConsumer = ["consumer", "EventHubThroughput.Lab"];
        Assert.All(ofConsumer, assembly => Assert.DoesNotContain(Assembly.Load(assembly).GetReferencedAssemblies(), name => closed.Contains(name.Name)));

        // A constant leaves no reference, so the sources are read as well.
        var sources = ((string[])["Consumer", "Lab"])
            .SelectMany(static project => Directory.EnumerateFiles(RepositoryFiles.GetPath("src", project), "*.cs", SearchOption.AllDirectories))
            .ToList();
        Assert.NotEmpty(sources);
        Assert.DoesNotContain(sources, source => closed.Any(name => File.ReadAllText(source).Contains($"{name}.", StringComparison.Ordinal)));
        Assert.DoesNotContain(sources, source => closed.Any(name => File.ReadAllText(source).Contains($"using {name};", StringComparison.Ordinal)));
    }

    [Fact]
    public void The_emulator_and_the_sender_are_only_started_by_the_consumer_never_called() =>
        Assert.DoesNotContain(
            Assembly.Load("consumer").GetReferencedAssemblies().Concat(Assembly.Load("EventHubThroughput.Lab").GetReferencedAssemblies()),
            name => name.Name is "emulator" or "sender" or "EventHubThroughput.Emulator.Core"
        );

    [Fact]
    public void The_verdict_shares_no_code_with_what_it_judges() =>
        Assert.DoesNotContain(
            Assembly.Load("EventHubThroughput.Verification").GetReferencedAssemblies(),
            name => name.Name is "consumer" or "EventHubThroughput.Lab" or "EventHubThroughput.Strategies" or "EventHubThroughput.Clients"
        );

    [Fact]
    public void Types_of_the_official_packages_are_seen_in_their_own_projects_only()
    {
        var outside = Directory
            .GetDirectories(Source)
            .Where(folder => !OfPackagesOnly.Contains(Path.GetFileName(folder)))
            .SelectMany(folder => Directory.GetFiles(folder, "*.cs", SearchOption.AllDirectories))
            .Where(file => !Path.GetRelativePath(Source, file).Split(Path.DirectorySeparatorChar).Any(part => part is "obj" or "bin"))
            .Where(file => File.ReadLines(file).Any(line => OfPackages().IsMatch(line)))
            .ToArray();

        Assert.Empty(outside);
        Assert.All(
            OfPackagesOnly,
            project =>
                Assert.Contains(
                    Directory.GetFiles(Path.Combine(Source, project), "*.cs", SearchOption.AllDirectories),
                    file => File.ReadLines(file).Any(line => OfPackages().IsMatch(line))
                )
        );
    }

    [Fact]
    public void Official_packages_are_referenced_by_their_own_projects_only_and_the_two_that_not_every_feed_has_with_the_switch_only()
    {
        string[] official = ["Azure.Identity", "Azure.Messaging.EventHubs", "Azure.Messaging.ServiceBus", "Azure.Storage.Blobs"];
        Assert.Equal(official, GetPackages("Clients.Azure").Order());
        var optional = XDocument.Load(Path.Combine(Source, "OfficialPackages", "OfficialPackages.csproj")).Descendants("PackageReference").ToArray();
        Assert.Equal(["AsyncEnumerator", "Azure.Messaging.EventHubs.Processor"], GetPackages("OfficialPackages").Order());
        Assert.All(optional, static reference => Assert.Equal("'$(OfficialPackages)' == 'true'", (string?)reference.Parent!.Attribute("Condition")));

        var packages = OfPackagesOnly
            .SelectMany(GetPackages)
            .Where(static package => !package.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal))
            .ToHashSet(StringComparer.Ordinal);
        var others = Directory
            .GetFiles(RepositoryFiles.Root, "*.csproj", SearchOption.AllDirectories)
            .Where(static file => !OfPackagesOnly.Contains(Path.GetFileNameWithoutExtension(file)) && !file.StartsWith(Examples, StringComparison.Ordinal));
        Assert.All(
            others,
            file =>
                Assert.DoesNotContain(
                    XDocument.Load(file).Descendants("PackageReference"),
                    reference => packages.Contains((string?)reference.Attribute("Include") ?? "")
                )
        );
    }

    [Fact]
    public void No_shipped_assembly_holds_a_declaration_of_a_package_that_is_absent() =>
        Assert.All(
            Directory
                .GetFiles(AppContext.BaseDirectory, "*.dll")
                .Where(static file => Path.GetFileName(file).StartsWith("EventHubThroughput.", StringComparison.Ordinal)),
            static file =>
                Assert.DoesNotContain(
                    Assembly.LoadFrom(file).GetTypes(),
                    static type => type.Namespace is "Dasync.Collections" or "Azure.Messaging.EventHubs.Primitives"
                )
        );

    private static string[] GetPackages(string project) =>
        [
            .. XDocument
                .Load(Path.Combine(Source, project, $"{project}.csproj"))
                .Descendants("PackageReference")
                .Select(reference => (string)reference.Attribute("Include")!),
        ];

    [GeneratedRegex(@"\b(?:ReceivedEvent|EventBatch)\b", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex ClientEvents();

    [GeneratedRegex(
        @"\b(?:Azure\.(?:Core|Identity|Messaging|Storage)|Dasync\.Collections|Microsoft\.Azure\.Amqp)\b",
        RegexOptions.None,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex OfPackages();

    public static TheoryData<string> Projects() => [.. Allowed.Keys];
}
