using System.Text.Json.Nodes;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Grafana;

/// <summary>
/// compose.yaml against what the Compose specification allows (github.com/compose-spec, its JSON schema), and against what this project promises of it.
/// That it starts is not tested: there is no Docker where these tests run.
/// </summary>
public sealed class ComposeTests
{
    private static readonly string[] TopLevel = ["name", "services", "networks", "volumes", "secrets", "configs", "include", "models"];

    // Of the schema's services, those that a file like this one has any use for.
    private static readonly string[] OfService =
    [
        "build",
        "cap_add",
        "cap_drop",
        "command",
        "container_name",
        "depends_on",
        "entrypoint",
        "environment",
        "expose",
        "healthcheck",
        "hostname",
        "image",
        "init",
        "labels",
        "network_mode",
        "networks",
        "ports",
        "profiles",
        "read_only",
        "restart",
        "security_opt",
        "stop_grace_period",
        "tmpfs",
        "user",
        "volumes",
        "working_dir",
    ];

    private static readonly JsonObject Compose = PlainYaml.Read(File.ReadAllText(RepositoryFiles.GetPath("compose.yaml")));

    private static readonly string Dockerfile = File.ReadAllText(RepositoryFiles.GetPath("deploy", "Dockerfile"));

    public static TheoryData<string> Services => [.. Compose["services"]!.AsObject().Select(static service => service.Key)];

    [Fact]
    public void Has_members_of_the_schema_only_and_declares_every_volume()
    {
        Assert.All(Compose, static member => Assert.Contains(member.Key, TopLevel));
        var named = Compose["services"]!
            .AsObject()
            .SelectMany(static service => GetVolumes(service.Value!))
            .Where(static source => source[0] is not ('.' or '/'));
        Assert.Equal(Compose["volumes"]!.AsObject().Select(static volume => volume.Key).Order(), named.Distinct().Order());
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void A_service_has_members_of_the_schema_only(string name)
    {
        var service = Compose["services"]![name]!.AsObject();

        Assert.All(service, static member => Assert.Contains(member.Key, OfService));
        Assert.True((string?)service["restart"] is null or "no" or "always" or "on-failure" or "unless-stopped");
        Assert.True(service["network_mode"] is null || (service["networks"] is null && service["ports"] is null), "network_mode excludes networks and ports");
        Assert.All(Texts(service["depends_on"]), other => Assert.NotNull(Compose["services"]![other]));
        if ((string?)service["network_mode"] is { } mode)
        {
            Assert.StartsWith("service:", mode, StringComparison.Ordinal);
            Assert.NotNull(Compose["services"]![mode["service:".Length..]]);
        }

        Assert.All(
            GetVolumes(service).Where(static source => source[0] == '.'),
            static source => Assert.True(Path.Exists(RepositoryFiles.GetPath(source)), source)
        );
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void A_service_is_pinned_not_root_local_and_keeps_no_secret(string name)
    {
        var service = Compose["services"]![name]!.AsObject();

        var tag = ((string)service["image"]!).Split(':')[^1];
        Assert.NotEqual("latest", tag);
        Assert.True(service["build"] is not null || tag.Any(char.IsDigit), "an image of others has a version");
        Assert.All(Texts(service["ports"]), static port => Assert.StartsWith("127.0.0.1:", port, StringComparison.Ordinal));
        Assert.DoesNotContain("root", (string?)service["user"] ?? "", StringComparison.Ordinal);
        Assert.False(((string?)service["user"])?.StartsWith('0') ?? false);
        Assert.All(
            service["environment"]?.AsObject().Select(static variable => variable.Key) ?? [],
            static variable => Assert.DoesNotMatch("PASSWORD|SECRET|KEY|TOKEN|CONNECTION_STRING", variable)
        );
    }

    [Fact]
    public void The_image_is_built_from_files_that_are_there_pinned_and_of_no_root()
    {
        var build = Compose["services"]!["consumer"]!["build"]!;

        Assert.True(File.Exists(RepositoryFiles.GetPath((string)build["dockerfile"]!)));
        string[] lines = [.. Dockerfile.Split('\n')];
        Assert.All(
            lines.Where(static line => line.StartsWith("FROM ", StringComparison.Ordinal)),
            static line => Assert.Matches(@":\d+\.\d+\.\d+( AS \w+)?$", line)
        );
        Assert.Contains("USER app", lines);
        Assert.True(Array.IndexOf(lines, "USER app") < Array.FindIndex(lines, static line => line.StartsWith("ENTRYPOINT", StringComparison.Ordinal)));
    }

    [Fact]
    public void Prometheus_and_consumer_share_the_folder_that_the_configuration_names()
    {
        const string Targets = "/tmp/eventhub-throughput/targets";
        var services = Compose["services"]!;

        Assert.Contains($"- {Targets}/*.json", File.ReadAllText(RepositoryFiles.GetPath("prometheus.yml")), StringComparison.Ordinal);
        Assert.Contains($"targets:{Targets}", Texts(services["consumer"]!["volumes"]));
        Assert.Contains($"targets:{Targets}:ro", Texts(services["prometheus"]!["volumes"]));
        Assert.Equal((string?)services["consumer"]!["network_mode"], (string?)services["prometheus"]!["network_mode"]);
    }

    [Theory]
    [InlineData("a: &x 1")]
    [InlineData("a:\n  - b: 1")]
    [InlineData("a: 1\n   b: 2")]
    public void YAML_that_the_reader_does_not_support_is_refused(string text) => Assert.Throws<FormatException>(() => PlainYaml.Read(text));

    private static IEnumerable<string> Texts(JsonNode? node) => node?.AsArray().Select(static one => (string)one!) ?? [];

    private static IEnumerable<string> GetVolumes(JsonNode service) => Texts(service["volumes"]).Select(static volume => volume.Split(':')[0]);
}
