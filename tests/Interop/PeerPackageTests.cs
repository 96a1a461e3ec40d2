using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The peers are the same on every machine. Needs no Node, so that this project always runs at least one test.</summary>
public sealed partial class PeerPackageTests
{
    [Fact]
    public async Task Every_peer_package_is_pinned_to_one_version_and_locked_without_naming_a_registry()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var package = JsonNode.Parse(await File.ReadAllTextAsync(Path.Combine(Peers.ScriptFolder, "package.json"), cancellationToken))!;
        var dependencies = package["dependencies"]!.AsObject();
        var locked = await File.ReadAllTextAsync(Path.Combine(Peers.ScriptFolder, "package-lock.json"), cancellationToken);
        var packages = JsonNode.Parse(locked)!["packages"]!.AsObject();

        Assert.NotEmpty(dependencies);
        Assert.All(
            dependencies,
            dependency =>
            {
                var version = (string)dependency.Value!;
                Assert.Matches(ExactVersion(), version);
                Assert.Equal(version, (string?)packages[$"node_modules/{dependency.Key}"]!["version"]);
            }
        );
        Assert.DoesNotContain("\"resolved\"", locked, StringComparison.Ordinal);
    }

    [GeneratedRegex(@"^\d+\.\d+\.\d+$", RegexOptions.None, matchTimeoutMilliseconds: 1_000)]
    private static partial Regex ExactVersion();
}
