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
            $"--clients={clients} --strategy={strategy} --events 200 --metrics-port 0 --output {output}",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean", run.Output, StringComparison.Ordinal);
        JsonNode result = JsonNode.Parse(await File.ReadAllTextAsync(output, TestContext.Current.CancellationToken))!;
        Assert.Equal(strategy, (string?)result["strategy"]!["name"]);
        Assert.Equal(200, (long)result["safety"]!["acknowledged"]!);
        JsonNode sends = Assert.Single(result["profile"]!["latencies"]!.AsArray(), row => (string?)row!["operation"] == "messageSend")!;
        Assert.Equal((200, 18.2), ((long)sends["count"]!, (double)sends["askedMeanMs"]!));
    }

    [Fact]
    public async Task Any_profile_of_the_emulator_will_do_and_one_without_latency_is_not_ranked()
    {
        using TemporaryFolder folder = new();
        string file = folder.File("mine.json");
        await File.WriteAllTextAsync(file, """{ "name": "mine", "basedOn": "article-constant" }""", TestContext.Current.CancellationToken);

        Finished own = await Programs.ConsumerAsync(
            $"--strategy=combined --events 100 --profile {file} --no-metrics",
            null,
            TestContext.Current.CancellationToken
        );
        Finished none = await Programs.ConsumerAsync(
            "--strategy=combined --events 100 --profile none --no-metrics",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True((own.ExitCode, none.ExitCode) == (0, 0), own.Error + none.Error);
        Assert.Contains($"profile {file}", own.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("emulator-bound without latency", own.Output, StringComparison.Ordinal);
        Assert.Contains("emulator-bound without latency, not to be ranked", none.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unknown_profile_is_refused_in_the_emulators_words_before_anything_happens()
    {
        Finished run = await Programs.ConsumerAsync("--profile fast --no-metrics", null, TestContext.Current.CancellationToken);

        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Contains("error: --profile 'fast': unknown; known: none, article,", run.Error, StringComparison.Ordinal);
    }
}

/// <summary>A folder that is gone when the test ends.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("eht-e2e-");

    public string File(string name) => Path.Combine(_folder.FullName, name);

    public void Dispose() => _folder.Delete(recursive: true);
}
