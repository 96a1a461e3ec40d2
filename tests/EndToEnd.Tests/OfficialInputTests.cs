using System.Runtime.InteropServices;
using System.Xml.Linq;
using EventHubThroughput.CommandLine.Processes;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>What is refused on the official packages: where the build lacks them, where it has them, and by the build itself.</summary>
public sealed class OfficialInputTests
{
    private const string Absent = "not in this build, build with -p:OfficialPackages=true; known here: ";

    [Theory]
    [InlineData("consumer", "--clients=sdk", "error: --clients 'sdk': unknown; known: builtin, blobs:official, official")]
    [InlineData(
        "consumer",
        "supervise --clients=eventhubs:official",
        "error: --clients 'eventhubs:official': unknown; known: builtin, blobs:official, official"
    )]
    [InlineData("sender", "--clients=sdk", "error: --clients 'sdk': unknown; known: builtin, official")]
    // It uses no blobs.
    [InlineData("sender", "--clients=blobs:official", "error: --clients 'blobs:official': unknown; known: builtin, official")]
    public Task Clients_that_no_build_has_are_refused_with_those_that_there_are(string program, string arguments, string expected) =>
        BadInputTableTests.AssertRefusedAsync(new BadInputRow("unknown clients", program, arguments, expected));

    [Theory]
    [Trait("Needs", OfficialBuild.AbsenceTrait)]
    [InlineData("consumer", "--clients=official", $"error: --clients official: {Absent}builtin, blobs:official")]
    [InlineData("consumer", "supervise --clients=official", $"error: --clients official: {Absent}builtin, blobs:official")]
    [InlineData("sender", "--clients=official", $"error: --clients official: {Absent}builtin")]
    [InlineData(
        "consumer",
        "--strategy=outloop-dasync",
        $"error: --strategy outloop-dasync: {Absent}baseline, inloop, outloop, combined, foreachasync, pipelined, keyed, keyed-shards, batched, adaptive, whenall, published, functions"
    )]
    public Task Without_the_packages_each_of_their_names_is_refused_with_the_switch_that_adds_it(string program, string arguments, string expected)
    {
        OfficialBuild.RequireAbsence();
        return BadInputTableTests.AssertRefusedAsync(new BadInputRow("not in this build", program, arguments, expected));
    }

    [Theory]
    [Trait("Needs", OfficialBuild.Trait)]
    [InlineData("--clients=official --no-fencing")]
    [InlineData("supervise --clients=official --no-fencing")]
    public Task Clients_that_never_fence_are_not_told_to_stop_it(string arguments)
    {
        OfficialBuild.Require();
        return BadInputTableTests.AssertRefusedAsync(
            new BadInputRow("no fencing", "consumer", arguments, "error: --no-fencing: not together with --clients official, which never fences")
        );
    }

    [Theory]
    [Trait("Needs", OfficialBuild.Trait)]
    [InlineData("consumer")]
    [InlineData("sender")]
    public Task A_connection_string_without_a_key_is_refused_before_the_packages_see_it(string program)
    {
        OfficialBuild.Require();
        return BadInputTableTests.AssertRefusedAsync(
            new BadInputRow("no key", program, "--clients=official", "error: EVENTHUB_CONNECTION_STRING: 'SharedAccessKey' missing*")
            {
                Settings = new Dictionary<string, string?> { ["EVENTHUB_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1;SharedAccessKeyName=x" },
            }
        );
    }

    [Fact]
    public async Task A_folder_of_assemblies_that_lacks_some_is_refused_by_the_build_with_their_names()
    {
        var project = RepositoryFiles.PathOf("src", "OfficialPackages", "OfficialPackages.csproj");
        var assemblies = XDocument
            .Load(project)
            .Descendants("OfficialAssembly")
            .SelectMany(static item => ((string)item.Attribute("Include")!).Split(';'))
            .ToArray();
        using var folder = new TemporaryFolder();
        foreach (var present in assemblies[..^2])
        {
            await File.WriteAllTextAsync(folder.File($"{present}.dll"), "", TestContext.Current.CancellationToken);
        }

        var build = await BuildAsync(project, Path.GetDirectoryName(folder.File("x"))!);

        var error = Assert.Single(build.Output.Split('\n'), static line => line.Contains("error", StringComparison.Ordinal));
        Assert.Contains($"/': lacks {assemblies[^2]}.dll, {assemblies[^1]}.dll", error, StringComparison.Ordinal);
        Assert.Equal(1, build.ExitCode);
    }

    [Fact]
    public async Task A_folder_of_assemblies_that_does_not_exist_is_refused_by_the_build()
    {
        using var folder = new TemporaryFolder();

        var build = await BuildAsync(RepositoryFiles.PathOf("src", "OfficialPackages", "OfficialPackages.csproj"), folder.File("none"));

        var error = Assert.Single(build.Output.Split('\n'), static line => line.Contains("error", StringComparison.Ordinal));
        Assert.Contains($"'{folder.File("none")}/': no such folder", error, StringComparison.Ordinal);
        Assert.Equal(1, build.ExitCode);
    }

    // The check alone, which a build makes before it compiles anything.
    private static Task<FinishedProcess> BuildAsync(string project, string folder) =>
        Programs.RunAsync(
            Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", "dotnet")),
            $"msbuild {project} -t:CheckOfficialAssemblies -p:OfficialAssemblies={folder} -nologo -tl:off -v:quiet",
            null,
            TestContext.Current.CancellationToken
        );
}
