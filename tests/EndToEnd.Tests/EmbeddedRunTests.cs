using System.Text.Json.Nodes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The main job in one command, with nothing set up: emulator, sender and consumer as processes, over real wires.</summary>
public sealed class EmbeddedRunTests
{
    [Theory]
    [EachStrategy]
    public async Task Every_strategy_ends_with_a_clean_verdict(string clients, string strategy)
    {
        using TemporaryFolder folder = new();
        string output = folder.File("result.json");

        Finished run = await Programs.ConsumerAsync(
            $"--clients={clients} --strategy={strategy} --events 200 --metrics-port 0 --output {output}", null, TestContext.Current.CancellationToken);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean", run.Output, StringComparison.Ordinal);
        JsonNode result = JsonNode.Parse(await File.ReadAllTextAsync(output, TestContext.Current.CancellationToken))!;
        Assert.Equal(strategy, (string?)result["strategy"]!["name"]);
        Assert.Equal(200, (long)result["safety"]!["acknowledged"]!);
    }
}

/// <summary>A folder that is gone when the test ends.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("eht-e2e-");

    public string File(string name) => Path.Combine(_folder.FullName, name);

    public void Dispose() => _folder.Delete(recursive: true);
}
